"""Games of people, kept with their consent, as records that predictors are trained on.

`keeping` asks, keeps and deletes; `sitting` is the page that says how many games there are.
"""
