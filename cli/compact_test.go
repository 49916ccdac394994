package cli

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"lda.chat/wf/internal/value"
)

// randomValue makes JSON of any shape, without our mark.
func randomValue(r *rand.Rand, depth int) value.Value {
	text := func() string {
		letters := []rune("ab \"\\\n\x01é😀")
		var b strings.Builder
		for range r.IntN(1 << r.IntN(9)) {
			b.WriteRune(letters[r.IntN(len(letters))])
		}
		return b.String()
	}
	n := r.IntN(1 << r.IntN(5))
	switch kind := r.IntN(8); {
	case kind == 0:
		return value.Null
	case kind == 1:
		return value.Bool(r.IntN(2) == 0)
	case kind == 2:
		v, _ := value.Number(strconv.Itoa(1+r.IntN(9)) + strings.Repeat("7", r.IntN(1<<r.IntN(8))))
		return v
	case kind <= 4 || depth == 0:
		return value.String(text())
	case kind == 5:
		items := make([]value.Value, n)
		for i := range items {
			items[i] = randomValue(r, depth-1)
		}
		return value.Array(items...)
	}
	members := make([]value.Member, n)
	for i := range members {
		members[i] = value.Member{Key: text(), Value: randomValue(r, depth-1)}
	}
	return value.Object(members...)
}

// untrue says where what is shown of a value is neither the value nor marked as cut: "" if nowhere.
func untrue(shown, whole value.Value, at string) string {
	text, isText := shown.AsString()
	kept, more, cut := strings.Cut(text, mark+" ")
	switch n, what := whole.Len(), whole.Kind(); {
	case value.Equal(shown, whole):
		return ""
	case isText && cut && what == value.KindString:
		s, _ := whole.AsString()
		if strings.HasPrefix(s, kept) && more == strconv.Itoa(utf8.RuneCountInString(s)-utf8.RuneCountInString(kept))+" more" {
			return ""
		}
	case isText && what == value.KindNumber:
		if text == fmt.Sprintf("… a number of %d digits", len(whole.NumberText())) {
			return ""
		}
	case isText && what == value.KindArray:
		if n > 0 && text == "… "+counted(n, "item") {
			return ""
		}
	case isText && what == value.KindObject:
		if n > 0 && text == "… "+counted(n, "member") {
			return ""
		}
	case shown.Kind() == value.KindArray && what == value.KindArray && shown.Len() > 0:
		last := shown.Len()
		if left, ok := shown.Index(last - 1).AsString(); last-1 < n && ok && left == fmt.Sprintf("… %d more", n-last+1) {
			last--
		} else if last != n {
			return fmt.Sprintf("%s: %d of %d items, and no mark", at, last, n)
		}
		for i := range last {
			if wrong := untrue(shown.Index(i), whole.Index(i), at+"/"+strconv.Itoa(i)); wrong != "" {
				return wrong
			}
		}
		return ""
	case shown.Kind() == value.KindObject && what == value.KindObject && shown.Len() > 0:
		left, isCut := shown.Get(mark).AsString()
		if kept := shown.Len() - 1; isCut && left != fmt.Sprintf("%d more", n-kept) || !isCut && kept+1 != n {
			return fmt.Sprintf("%s: %d of %d members, and %q", at, kept+1, n, left)
		}
		for key, x := range shown.Members() {
			if wrong := untrue(x, whole.Get(key), at+"/"+key); key != mark && wrong != "" {
				return wrong
			}
		}
		return ""
	}
	return fmt.Sprintf("%s: %.80s is shown for %.80s", at, shown, whole)
}

// What a compact answer shows without a mark is exactly true, at any length. It is one line, no longer than was asked for.
func TestCompactIsTrue(t *testing.T) {
	t.Parallel()
	for seed := range uint64(250) {
		r := rand.New(rand.NewPCG(seed, 1))
		whole := value.Object(
			value.Member{Key: "ok", Value: value.True},
			value.Member{Key: "result", Value: randomValue(r, 4)},
			value.Member{Key: "diagnostics", Value: value.Array(randomValue(r, 2), randomValue(r, 2))},
			value.Member{Key: "meta", Value: value.Object(value.Member{Key: "command", Value: value.String("try")})},
		)
		longest := len(whole.JSON())
		for most := leastChars; ; most += 1 + most/5 {
			c := &compactor{whole: whole, command: shortened("wf try 'a plan' --input '"+strings.Repeat("\x01", 500)+"'", most/3), most: most}
			line := c.line()
			if n := utf8.RuneCount(line); n > most || strings.ContainsAny(string(line), "\n") {
				t.Fatalf("seed %d: %d characters were asked for, %d came: %.300s", seed, most, n, line)
			}
			shown, err := value.Parse(line)
			if err != nil {
				t.Fatalf("seed %d: at %d: %v", seed, most, err)
			}
			list := shown.Get("cut")
			first, _ := list.Index(0).AsString()
			for key, x := range whole.Members() {
				switch now := shown.Get(key); {
				case now.IsAbsent() && (isEmpty(x) || first == "everything else"):
				default:
					if wrong := untrue(now, x, "/"+key); wrong != "" {
						t.Fatalf("seed %d: at %d: %s\nin %.2000s", seed, most, wrong, line)
					}
				}
			}
			if isWhole := value.Equal(shown, whole); isWhole != list.IsAbsent() && !isEmpty(whole.Get("result")) {
				t.Fatalf("seed %d: at %d: whole is %v, and cut is %s", seed, most, isWhole, list)
			}
			if most > longest {
				break
			}
		}
	}
}

// Small answers with a little less room than they need keep what is in them.
func TestCompactUsesItsRoom(t *testing.T) {
	t.Parallel()
	var members []value.Member
	for i := range 150 {
		members = append(members, value.Member{Key: fmt.Sprintf("code_%03d", i), Value: value.String("What it means in a line of text")})
	}
	whole := value.Object(value.Member{Key: "ok", Value: value.True}, value.Member{Key: "result", Value: value.Object(members...)})
	c := &compactor{whole: whole, command: "wf explain --format json", most: defaultChars}
	line := c.line()
	if n := utf8.RuneCount(line); n < defaultChars*9/10 {
		t.Errorf("%d of %d characters are used: %s", n, defaultChars, line)
	}
	if again := c.line(); string(again) != string(line) {
		t.Errorf("once %s\nthen %s", line, again)
	}
}

// A patch is shown whole or not at all, for half of one could be applied.
func TestCompactCutsNoPatch(t *testing.T) {
	t.Parallel()
	patch := `[{"op":"test","path":"/a","value":"b"},{"op":"replace","path":"/a","value":"` + strings.Repeat("long ", 100) + `"}]`
	whole, err := value.Parse([]byte(`{"ok":false,"diagnostics":[{"code":"x","fixes":[{"title":"Write","patch":` + patch + `}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for most := leastChars; most < 800; most++ {
		line := string((&compactor{whole: whole, command: "wf", most: most}).line())
		if strings.Contains(line, "test") && !strings.Contains(line, patch) {
			t.Fatalf("at %d: %s", most, line)
		}
	}
}

// The list of codes has codes and whole titles, as many as there is room for.
func TestCompactListOfCodes(t *testing.T) {
	t.Parallel()
	for most, least := range map[int]int{500: 3, 1000: 10, defaultChars: 55, 50_000: len(codes())} {
		r := demo(t).run(t.Context(), nil, nil, "explain", "--format", "compact", "--max-output-chars", strconv.Itoa(most))
		v, err := value.Parse([]byte(r.stdout))
		if err != nil {
			t.Fatal(err)
		}
		listed := 0
		for code, title := range v.Get("result").Get("codes").Members() {
			if info, known := lookup(code); known && value.Equal(title, value.String(info.Title)) {
				listed++
			} else if code != mark {
				t.Errorf("at %d: %s: %s", most, code, title)
			}
		}
		if listed < least {
			t.Errorf("at %d: only %d codes: %s", most, listed, r.stdout)
		}
	}
}
