"""The small models of the experiments: one module an experiment, imported only when used."""
