"""Teaching: what a teacher prints, votes on and imports, made from the lessons' declarations."""
