package main

import (
	"fmt"
	"maps"
	"strings"
	"sync"
	"sync/atomic"
)

// The floor of each workload: a plain program by hand, with the state as a map of JSON-like values, a table of
// functions, and one shallow copy of the state a step.

type state = map[string]any

type stepFunc func(state) state

var sink atomic.Value

// keep makes the compiler keep the work that led to s.
func keep(s state) { sink.Store(s) }

func advance(s state, f stepFunc) state {
	update := f(s)
	s = maps.Clone(s)
	maps.Copy(s, update)
	return s
}

func outline(topic string) []string {
	return []string{topic + ": background", topic + ": findings", topic + ": outlook"}
}

func draft(sections []string) string { return strings.Join(sections, ". ") + "." }

func polish(text, tone string) (string, int) {
	return "[" + tone + "] " + strings.ToUpper(text), len(strings.Fields(text))
}

func floorReport() work {
	table := []stepFunc{
		func(s state) state { return state{"sections": outline(s["topic"].(string))} },
		func(s state) state { return state{"draft": draft(s["sections"].([]string))} },
		func(s state) state {
			report, words := polish(s["draft"].(string), s["tone"].(string))
			return state{"report": report, "words": words}
		},
	}
	return work{func() {
		s := state{"topic": "solar storage", "tone": "formal"}
		for _, f := range table {
			s = advance(s, f)
		}
		keep(s)
	}, 1}
}

func floorLoop(n int) work {
	step := func(s state) state { return state{"counter": s["counter"].(int) + 1} }
	return work{func() {
		s := state{"counter": 0}
		for range n {
			s = advance(s, step)
		}
		keep(s)
	}, n}
}

func floorRouting(n int) work {
	table := map[string]stepFunc{}
	names := make([]string, 10)
	for i := range names {
		name := fmt.Sprint("r", i)
		names[i] = name
		table[name] = func(s state) state {
			count, _ := s[name].(int)
			return state{name: count + 1, "i": s["i"].(int) + 1}
		}
	}
	return work{func() {
		s := state{"i": 0}
		for s["i"].(int) < n {
			s = advance(s, table[names[(s["i"].(int)*7+3)%10]])
		}
		keep(s)
	}, n}
}

// floorForeach has 16 workers take items from a channel; each result is a small map, kept in its place.
func floorForeach(n int) work {
	step := func(s state) state { return state{"counter": s["counter"].(int) + 1} }
	return work{func() {
		results := make([]state, n)
		items := make(chan int)
		var workers sync.WaitGroup
		for range 16 {
			workers.Go(func() {
				for i := range items {
					results[i] = advance(state{"counter": i}, step)
				}
			})
		}
		for i := range n {
			items <- i
		}
		close(items)
		workers.Wait()
		out := make([]any, n)
		for i, r := range results {
			out[i] = r["counter"]
		}
		keep(state{"out": out})
	}, n}
}
