package judge

import (
	"fmt"
	"strings"

	"github.com/adtinfer/adtinfer/history"
)

// manyAlike is how many operations of one kind in a row are not written out.
const manyAlike = 5

// draw writes an execution on one line. Of many operations of one kind in a row
// only the first and the last are shown.
func draw(labels []history.Label) string {
	var parts []string
	for i := 0; i < len(labels); {
		j := i
		for j < len(labels) && labels[j].Kind == labels[i].Kind {
			j++
		}
		if j-i < manyAlike {
			for ; i < j; i++ {
				parts = append(parts, labels[i].String())
			}
			continue
		}
		parts = append(parts, fmt.Sprintf("%s; ... (%d times in all); %s", labels[i], j-i, labels[j-1]))
		i = j
	}
	return strings.Join(parts, "; ")
}

// line is a text on one line.
func line(text string) string { return strings.Join(strings.Fields(text), " ") }
