"""The ten lessons, a folder each: claims, questions, exercises, figures, experiments."""
