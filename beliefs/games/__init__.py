"""The beliefs of the games that come with sleuth, and the contract they keep."""
