"""How good answers are: methods compared, beliefs calibrated, reliability, and networks in BIF."""
