"""The games as generative models: rules as compiled kernels, and their events and records.

`kernel` compiles functions. Each game has a folder of its own: cards and board, events and what a
viewer sees of them, the record's schema, and a simulator that produces full records.
"""
