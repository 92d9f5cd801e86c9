"""Methods of graphical models: loopy belief propagation, and variable elimination through pgmpy."""
