package schema

func (s *Schema) ShapeHash() string { return s.ExactHash() }
