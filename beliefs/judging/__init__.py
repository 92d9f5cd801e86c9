"""The quality of answers: methods compared, beliefs calibrated, reliability."""
