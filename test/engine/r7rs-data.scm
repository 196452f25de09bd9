; R7RS 6.1, 6.3 to 6.9: equivalence, booleans, pairs, symbols, characters, strings, vectors, bytevectors.
(list (eqv? 'a 'a) (eqv? '() '()) (eqv? 100000000 100000000) (eqv? 0.0 +nan.0) (eqv? 0.0 -0.0) (eqv? (cons 1 2) (cons 1 2)) (eqv? 2 2.0) (eqv? 100000000000000000000 100000000000000000000) (eqv? 1/2 1/2) (eqv? #\a #\a)) ; => (#t #t #t #f #f #f #f #t #t #t)
(list (equal? '(a (b) c) '(a (b) c)) (equal? "abc" "abc") (equal? (make-vector 5 'a) (make-vector 5 'a)) (equal? #u8(1 2) #u8(1 2)) (equal? 2 2.0)) ; => (#t #t #t #t #f)
(equal? '#1=(a b . #1#) '#2=(a b a b . #2#)) ; => #t
(list (not 3) (not #f) (not '()) (boolean? #f) (boolean? 0) (boolean=? #t #t #t) (boolean=? #t #f)) ; => (#f #t #f #t #f #t #f)
(define (f) (list 'not-a-constant-list))
(let ((x (list 'a 'b 'c))) (set-cdr! x 4) (list (list? x) x)) ; => (#f (a . 4))
(list (make-list 2 3) (length '(a (b) (c d e))) (append '(a) '(b c d)) (append '(a (b)) '((c))) (append '(a b) '(c . d)) (append '() 'a) (append)) ; => ((3 3) 3 (a b c d) (a (b) (c)) (a b c . d) a ())
(list (reverse '(a (b c) d (e (f)))) (list-tail '(a b c d) 2) (list-ref '(a b c d) 2)) ; => (((e (f)) d (b c) a) (c d) c)
(let ((ls (list 'one 'two 'five!))) (list-set! ls 2 'three) ls) ; => (one two three)
(list (memq 'c '(a b c d e)) (memq (list 'a) '(b (a) c)) (member (list 'a) '(b (a) c)) (member "B" '("a" "b" "c") string-ci=?) (memv 101 '(100 101 102))) ; => ((c d e) #f ((a) c) ("b" "c") (101 102))
(list (assq 'b '((a 1) (b 2))) (assoc (list 'a) '(((a)) ((b)) ((c)))) (assoc 2.0 '((1 1) (2 4) (3 9)) =) (assv 5 '((2 3) (5 7)))) ; => ((b 2) ((a)) (2 4) (5 7))
(let* ((a '(1 2)) (b (list-copy a))) (list (equal? a b) (eq? a b))) ; => (#t #f)
(list (symbol->string 'flying-fish) (string->symbol "mISSISSIppi") (symbol=? 'a 'a 'a) (symbol=? 'a 'b) (symbol? 'nil) (symbol? '())) ; => ("flying-fish" mISSISSIppi #t #f #t #f)
(list '|hello world| (string->symbol "") '|a\x62;c| (string->symbol "1") '+ '... '-> '|.|) ; => (|hello world| || abc |1| + ... -> |.|)
(list #\a #\space #\newline #\nul #\null #\x41 #\λ #\( #\delete #\altmode #\tab) ; error: unknown character name #\nul
(list #\a #\space #\newline #\null #\x41 #\λ #\( #\delete #\escape #\tab #\alarm #\backspace #\return) ; => (#\a #\space #\newline #\null #\A #\λ #\( #\delete #\escape #\tab #\alarm #\backspace #\return)
(list (char<? #\a #\b #\c) (char-ci=? #\a #\A) (char-upcase #\i) (char-downcase #\A) (char-foldcase #\Σ) (digit-value #\3) (digit-value #\x0664) (digit-value #\x0AE6) (digit-value #\a)) ; => (#t #t #\I #\a #\σ 3 4 0 #f)
(list (char-alphabetic? #\λ) (char-numeric? #\٣) (char-whitespace? #\x3000) (char-upper-case? #\Σ) (char-lower-case? #\σ) (char->integer #\x1F600) (integer->char 955)) ; => (#t #t #t #t #t 128512 #\λ)
(list (string-upcase "Straße") (string-downcase "ΧΑΟΣ") (string-foldcase "Straße") (string-ci=? "Straße" "STRASSE") (string-ci=? "ΧΑΟΣ" "χαος")) ; => ("STRASSE" "χαος" "strasse" #t #t)
(list (string-length "😀λ") (string-ref "a😀b" 2) (substring "a😀b" 1 3) (string<? "a" "b" "c") (string=? "a" "a" "b")) ; => (2 #\b "😀b" #t #f)
(let ((s (make-string 3 #\*))) (string-set! s 0 #\?) (string-set! s 1 #\😀) s) ; => "?😀*"
(string-set! "literal" 0 #\a) ; error: string-set!: expected a mutable string, got "literal"
(let ((s (string-copy "12345"))) (string-copy! s 1 "ab" 0 2) (string-fill! s #\x 4) s) ; => "1ab4x"
(let ((s (string-copy "abcde"))) (string-copy! s 1 s 0 3) s) ; => "aabce"
(list (string->list "apple" 2) (string->list "apple" 2 4) (list->string '(#\a #\b)) (string-append "a" "" "bc") (string->vector "ABC") (vector->string #(#\1 #\2 #\3) 1)) ; => ((#\p #\l #\e) (#\p #\l) "ab" "abc" #(#\A #\B #\C) "23")
"a\x41;\t\"\\\
   b" ; => "aA\t\"\\b"
(list (vector-ref #(1 1 2 3 5) 4) (vector->list #(dah dah didah) 1 2) (list->vector '(a b)) (vector-fill! (vector 1 2 3) 0)) ; => (5 (dah) #(a b) #<unspecified>)
(let ((a #(1 8 2 8)) (b (vector 10 20 30 40 50))) (vector-copy! b 1 a 0 2) (list b (vector-copy a 2) (vector-append a #(9)))) ; => (#(10 1 8 40 50) #(2 8) #(1 8 2 8 9))
(let ((v (vector 1 2 3 4 5))) (vector-copy! v 1 v 0 3) v) ; => #(1 1 2 3 5)
(list (bytevector 1 3 5) (make-bytevector 2 12) (bytevector-u8-ref #u8(1 1 2 3) 2) (bytevector-copy #u8(1 2 3 4 5) 2 4) (bytevector-append #u8(0 1) #u8(2)) (utf8->string #u8(#x41 #xCE #xBB)) (string->utf8 "λ")) ; => (#u8(1 3 5) #u8(12 12) 2 #u8(3 4) #u8(0 1 2) "Aλ" #u8(206 187))
(let ((b (bytevector 1 2 3 4 5))) (bytevector-copy! b 1 #u8(10 20 30) 1) (bytevector-u8-set! b 0 255) b) ; => #u8(255 20 30 4 5)
(bytevector 256) ; error: bytevector: expected an integer from 0 to 255, got 256
(vector-map + #(1 2) #(10 20 30)) ; => #(11 22)
(string-map char-upcase "abc") ; => "ABC"
(string-map (lambda (a b) (if (char<? a b) a b)) "adc" "bbbz") ; => "abb"
(let ((v '())) (string-for-each (lambda (a b) (set! v (cons (string a b) v))) "ab" "xyz") v) ; => ("by" "ax")
(let ((v (make-vector 3))) (for-each (lambda (i) (vector-set! v i (* i i))) '(0 1 2)) v) ; => #(0 1 4)
(let ((out '())) (vector-for-each (lambda (a b) (set! out (cons (+ a b) out))) #(1 2) #(10 20)) out) ; => (22 11)
