# Reads the XML reports of Surefire and Failsafe. Sourced, never run.
#
#   reports_remove          removes those of earlier runs, so that nothing old is counted
#   reports_totals          prints "tests failed skipped"
#   reports_named <what>    prints the tests with that outcome: failed or skipped
#
# All paths are relative to the checkout.

reports_remove() {
  rm -rf ./*/target/surefire-reports ./*/target/failsafe-reports
}

report_files() {
  find . -path './*/target/*-reports/TEST-*.xml' | sort
}

reports_totals() {
  # One <testsuite …> opening tag per file carries the counts.
  report_files | while IFS= read -r file; do sed -n '/<testsuite /{p;q}' "$file"; done | awk '
    function count(name) {
      return match($0, " " name "=\"[0-9]+\"") \
        ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4) + 0 : 0
    }
    { tests += count("tests"); skipped += count("skipped") }
    { failed += count("failures") + count("errors") }
    END { print tests + 0, failed + 0, skipped + 0 }'
}

reports_named() {
  local tags
  case $1 in
    failed) tags='failure|error' ;;
    skipped) tags='skipped' ;;
  esac
  report_files | while IFS= read -r file; do
    awk -v outcome="^    <($tags)[ >/]" '
      function value(name,  from) {
        from = index($0, " " name "=\"")
        if (!from) return ""
        from += length(name) + 3
        return substr($0, from, index(substr($0, from), "\"") - 1)
      }
      /^  <testcase / { test = value("classname") "." value("name") }
      $0 ~ outcome && test != "" { print test; test = "" }' "$file"
  done
}
