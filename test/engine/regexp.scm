; (nodwyn regexp)
(import (nodwyn regexp))
(define m (regexp-search "(\\d+)-(?<word>\\w+)" "x 12-ab, 3-c"))
(list (regexp-match-ref m) (regexp-match-ref m 1) (regexp-match-ref m 'word) (regexp-match-ref m "word") (regexp-match-start m) (regexp-match-end m 1) (regexp-match-count m)) ; => ("12-ab" "12" "ab" "ab" 2 4 2)
(regexp-match-ref m 3) ; error: regexp-match-ref: the pattern has no group 3
(list (regexp-search "z" "abc") (regexp-matches? "a+" "aaa") (regexp-matches? "a+" "aab") (regexp-match-ref (regexp-matches "(a)(b)?" "a") 2)) ; => (#f #t #f #f)
(list (regexp-extract "[a-z]+" "ab 12 cd") (regexp-split ",\\s*" "a, b,c") (regexp-split "," "") (regexp-split "" "abc")) ; => (("ab" "cd") ("a" "b" "c") ("") ("a" "b" "c"))
(list (regexp-replace "o" "foo" "0") (regexp-replace-all "(\\w+)@(?<host>\\w+)" "a@b c@d" "$<host> at $1, $$ $&") (regexp-replace-all "x" "abc" "y")) ; => ("f0o" "b at a, $ a@b d at c, $ c@d" "abc")
(let ((m (regexp-search (regexp "HELLO" "i") "say hello"))) (list (regexp? (regexp "a")) (regexp-match-start m))) ; => (#t 4)
; Characters are code points.
(let ((m (regexp-search "." "😀b" 1))) (list (regexp-match-ref m) (regexp-match-start m) (regexp-match-end m))) ; => ("b" 1 2)
(regexp-extract "." "😀b") ; => ("😀" "b")
(regexp-matches? (regexp-quote "a.b*(c)") "a.b*(c)") ; => #t
(map regexp-match-start (regexp-search-all "a" "banana")) ; => (1 3 5)
(regexp "(") ; error: regexp: bad pattern "(": unterminated group
(regexp "a" "x") ; error: regexp: unknown flags "x"
(regexp-search 5 "a") ; error: regexp-search: expected a regexp or a string, got 5
(regexp-search "(a+)+$" (string-append (make-string 40 #\a) "b")) ; error: regexp-search: "(a+)+$" took more than 1000 ms on a text of 41 characters
; What may take long and does not is found all the same.
(regexp-match-ref (regexp-search "(a+)+b" "xaab") 1) ; => "aa"
(regexp-match-ref (regexp-search "(?<q>['\"]).*?\\k<q>" "say 'hi'")) ; => "'hi'"
