package kernel

import "errors"

func (m *Machine) Snapshot(dst []byte) []byte { return append(dst, "null"...) }
func Restore(p *Program, data []byte) (*Machine, error) { return nil, errors.New("no snapshots yet") }
