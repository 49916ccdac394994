package postgres_test

import (
	"fmt"
	"net"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/store/postgres"
)

// proxy stands before the server and cuts connections.
type proxy struct {
	net.Listener
	server   string
	requests atomic.Int64 // how many bytes it still passes on to the server
	replies  atomic.Int64 // and back
}

const unbounded = 1 << 60

// newProxy returns it with the address by which it is reached.
func newProxy(t *testing.T, address string) (*proxy, string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{Listener: l}
	p.requests.Store(unbounded)
	p.replies.Store(unbounded)
	t.Cleanup(func() { _ = l.Close() })
	through := changed(t, address, func(u *url.URL) { p.server, u.Host = u.Host, l.Addr().String() })
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			go p.serve(client)
		}
	}()
	return p, through
}

func (p *proxy) serve(client net.Conn) {
	server, err := net.Dial("tcp", p.server)
	if err != nil {
		_ = client.Close()
		return
	}
	pass := func(to, from net.Conn, left *atomic.Int64) {
		defer client.Close()
		defer server.Close()
		buffer := make([]byte, 32<<10)
		for {
			n, err := from.Read(buffer)
			if rest := left.Add(int64(-n)) + int64(n); rest < int64(n) {
				_, _ = to.Write(buffer[:max(rest, 0)])
				return
			}
			if _, failed := to.Write(buffer[:n]); failed != nil || err != nil {
				return
			}
		}
	}
	go pass(server, client, &p.requests)
	pass(client, server, &p.replies)
}

// Wherever a connection is cut, whoever was told that an append was kept has it, whoever was told that it was refused has
// not, and nobody has half of it.
func TestCutConnections(t *testing.T) {
	t.Parallel()
	address := server(t)
	p, through := newProxy(t, address)
	name := schema(t, address)
	s := opened(t, through, &postgres.Options{Schema: name})
	direct := opened(t, address, &postgres.Options{Schema: name})
	h, err := s.Create(ctx, wf.NewRun{RunID: "r", Owner: "p", TTL: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	revision := h.Revision
	add := func() error {
		_, err := s.Append(ctx, wf.Append{RunID: "r", Expect: revision, Fence: 1, Events: [][]byte{fmt.Append(nil, revision), nil}})
		return err
	}
	for _, way := range []*atomic.Int64{&p.requests, &p.replies} {
		kept, lost := 0, 0
		for n, whole := int64(0), 0; whole < 3; n += 5 {
			if err := add(); err != nil { // on a connection that knows the statements
				t.Fatalf("the connection that follows a cut one: %v", err)
			}
			revision += 2
			way.Store(n)
			err := add()
			way.Store(unbounded)
			now, failed := direct.Head(ctx, "r")
			if failed != nil {
				t.Fatal(failed)
			}
			switch {
			case now.Revision != revision && now.Revision != revision+2:
				t.Fatalf("cut after %d bytes: the run is at %d, was at %d", n, now.Revision, revision)
			case err == nil && now.Revision == revision:
				t.Fatalf("cut after %d bytes: the append was lost", n)
			case err != nil && !wf.IsAmbiguous(err):
				t.Fatalf("cut after %d bytes: not ambiguous: %v", n, err)
			case err == nil:
				whole++
			case now.Revision == revision:
				lost++
			default:
				kept++
			}
			revision = now.Revision
		}
		if way == &p.requests && lost == 0 || way == &p.replies && kept == 0 {
			t.Errorf("of the cut appends %d were kept, %d were lost", kept, lost)
		}
	}
}
