package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"regexp"
	"strconv"

	"github.com/jackc/pgx/v5/pgxpool"

	"lda.chat/wf"
	"lda.chat/wf/store"
)

var schemaName = regexp.MustCompile(`^[a-z_][a-z0-9_]{0,47}$`)

// configure reads the address.
func (s *Store) configure(url string) (*pgxpool.Config, error) {
	if !schemaName.MatchString(s.schema) {
		return nil, &wf.InvalidError{What: "schema", Found: s.schema, Problem: "is not made of lower case letters, digits and _, at most 48"}
	}
	config, err := pgxpool.ParseConfig(url)
	if err != nil { // its text may hold parts of the password
		return nil, errors.New("the address of the PostgreSQL database cannot be read; expected postgres://user:password@host:port/database, " +
			"with signs such as / @ : # ? and % in the password written as %2F, %40, …")
	}
	c := config.ConnConfig
	s.place = fmt.Sprintf("PostgreSQL at %s:%d, database %s, schema %s", c.Host, c.Port, c.Database, s.schema)
	s.name = rand.Text()
	if c.ConnectTimeout == 0 || c.ConnectTimeout > s.timeout {
		c.ConnectTimeout = s.timeout
	}
	set := c.RuntimeParams
	set["search_path"] = s.schema
	// The statements are few and long: to plan one takes longer than to carry it out.
	set["plan_cache_mode"], set["jit"] = "force_generic_plan", "off"
	set["default_transaction_isolation"] = "read committed"
	set["lock_timeout"] = strconv.FormatInt(max(1, s.timeout.Milliseconds()/2), 10) // refused is better than unknown
	if set["application_name"] == "" {
		set["application_name"] = "wf"
	}
	return config, nil
}

// prepare brings the schema to this version and looks at what the server promises.
func (s *Store) prepare(ctx context.Context) error {
	ctx, cancel, err := s.within(ctx)
	if err != nil {
		return err
	}
	defer cancel()
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	var encoding, fsync, pages, commit string
	err = conn.QueryRow(ctx, `SELECT current_setting('server_encoding'), current_setting('fsync'), current_setting('full_page_writes'), current_setting('synchronous_commit')`).
		Scan(&encoding, &fsync, &pages, &commit)
	if err != nil {
		return err
	}
	if encoding != "UTF8" {
		return fmt.Errorf("%s: the database has encoding %s, expected UTF8; make one WITH ENCODING 'UTF8' TEMPLATE template0", s.place, encoding)
	}
	s.durability = store.Power
	if fsync == "off" || pages == "off" || commit == "off" {
		s.durability = store.Process
	}
	return s.migrate(ctx, conn.Conn())
}
