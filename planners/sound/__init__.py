"""Sound play: search whose statistics stand at the players' information sets from the deal on."""
