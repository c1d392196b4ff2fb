// Renders the chart as Helm does, for machines without Helm: the same engine and the same functions.
// GO111MODULE=off go run render-chart.go <folder of the chart> <file with values as JSON>
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v3"
)

func main() {
	var data map[string]interface{}
	must(json.Unmarshal(read(os.Args[2]), &data))
	functions := sprig.TxtFuncMap()
	functions["toYaml"] = func(value interface{}) string {
		var text bytes.Buffer
		encoder := yaml.NewEncoder(&text)
		encoder.SetIndent(2)
		must(encoder.Encode(value))
		return strings.TrimSuffix(text.String(), "\n")
	}
	files, _ := filepath.Glob(filepath.Join(os.Args[1], "templates", "*.yaml"))
	for _, file := range files {
		parsed, err := template.New(file).Option("missingkey=error").Funcs(functions).Parse(string(read(file)))
		must(err)
		fmt.Println("---")
		must(parsed.Execute(os.Stdout, data))
	}
}

func read(path string) []byte {
	text, err := os.ReadFile(path)
	must(err)
	return text
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
