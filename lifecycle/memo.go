package lifecycle

import "sync"

// memo remembers what was worked out from what never changes, a bounded number. The zero value is ready. It is safe for concurrent use.
type memo[V any] struct {
	mu    sync.Mutex
	known map[string]V
}

const mostRemembered = 256

func (m *memo[V]) get(key string) (V, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := m.known[key]
	return v, ok
}

func (m *memo[V]) put(key string, v V) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil || len(m.known) >= mostRemembered {
		m.known = map[string]V{}
	}
	m.known[key] = v
}
