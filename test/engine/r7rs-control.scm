; R7RS 6.10 to 6.14: control, exceptions, eval, ports.
(apply + 1 2 '(3 4)) ; => 10
(map (lambda (x y) (+ x y)) '(1 2 3) '(10 20)) ; => (11 22)
(call-with-values (lambda () (values 4 5)) (lambda (a b) b)) ; => 5
(call-with-values * -) ; => -1
(call-with-current-continuation (lambda (exit) (for-each (lambda (x) (if (negative? x) (exit x))) '(54 0 37 -3 245 19)) #t)) ; => -3
(let ((path '()) (c #f)) (let ((add (lambda (s) (set! path (cons s path))))) (dynamic-wind (lambda () (add 'connect)) (lambda () (add (call/cc (lambda (c0) (set! c c0) 'talk1)))) (lambda () (add 'disconnect))) (if (< (length path) 4) (c 'talk2) (reverse path)))) ; => (connect talk1 disconnect connect talk2 disconnect)
(let ((k #f) (n 0)) (let ((r (map (lambda (x) (call/cc (lambda (c) (if (= x 2) (set! k c)) x))) '(1 2 3)))) (set! n (+ n 1)) (if (< n 3) (k (* n 10)) r))) ; => (1 20 3)
(call/cc (lambda (k) (with-exception-handler (lambda (e) (k (list 'condition e))) (lambda () (+ 1 (raise 'an-error)))))) ; => (condition an-error)
(with-exception-handler (lambda (con) (cond ((string? con) 42) (else 0))) (lambda () (+ (raise-continuable "should be a number") 23))) ; => 65
(guard (condition ((assq 'a condition) => cdr) ((assq 'b condition))) (raise (list (cons 'a 42)))) ; => 42
(guard (condition ((assq 'a condition) => cdr) ((assq 'b condition))) (raise (list (cons 'b 23)))) ; => (b . 23)
(guard (e ((symbol? e) 'outer)) (guard (e ((string? e) 'inner)) (raise 'sym))) ; => outer
(let ((path '())) (guard (e (#t (set! path (cons 'handled path)) (reverse path))) (dynamic-wind (lambda () (set! path (cons 'in path))) (lambda () (raise 'oops)) (lambda () (set! path (cons 'out path)))))) ; => (in out handled)
(guard (e ((error-object? e) (list (error-object-message e) (error-object-irritants e)))) (error "BOOM!" 1 2 '(3))) ; => ("BOOM!" (1 2 (3)))
(guard (e ((read-error? e) 'read)) (read (open-input-string "(1 2"))) ; => read
(guard (e ((error-object? e) 'no-pair)) (car 5)) ; => no-pair
(with-exception-handler (lambda (e) 10) (lambda () (guard (e ((string? e) 'no)) (+ 1 (raise-continuable 'sym))))) ; => 11
(let ((result '())) (with-exception-handler (lambda (e) (set! result (cons 'outer result)) 1) (lambda () (with-exception-handler (lambda (e) (set! result (cons 'inner result)) (raise-continuable e)) (lambda () (raise-continuable 'x))))) (reverse result)) ; => (inner outer)
(guard (e (#t (list 'reraised e))) (guard (e ((number? e) 'number)) (raise 'symbol))) ; => (reraised symbol)
(parameterize () 5) ; => 5
(eval '(* 7 3) (environment '(scheme base))) ; => 21
(let ((f (eval '(lambda (f x) (f x x)) (scheme-report-environment 5)))) (f + 10)) ; => 20
(let ((p (open-input-string "(a . b) \"s\" #\\x 1.5 #(1 2) 'q `(u ,v ,@w) #;hidden #|c|# last"))) (let loop ((x (read p)) (all '())) (if (eof-object? x) (reverse all) (loop (read p) (cons x all))))) ; => ((a . b) "s" #\x 1.5 #(1 2) 'q `(u ,v ,@w) last)
(let ((p (open-input-string "abc\ndef\n"))) (list (read-char p) (peek-char p) (read-line p) (read-string 2 p) (char-ready? p) (read-line p) (eof-object? (read-line p)) (eof-object? (read-char p)))) ; => (#\a #\b "bc" "de" #t "f" #t #t)
(let ((p (open-output-string))) (write 'a p) (display " " p) (write "b\"c" p) (write-char #\d p) (write-string "efg" p 1) (newline p) (get-output-string p)) ; => "a \"b\\\"c\"dfg\n"
(let ((p (open-input-bytevector #u8(1 2 3 4)))) (list (read-u8 p) (peek-u8 p) (u8-ready? p) (read-bytevector 2 p) (read-u8 p) (eof-object? (read-u8 p)))) ; => (1 2 #t #u8(2 3) 4 #t)
(let ((p (open-output-bytevector))) (write-u8 1 p) (write-bytevector #u8(2 3 4) p 1) (get-output-bytevector p)) ; => #u8(1 3 4)
(let ((p (open-input-bytevector #u8(1 2 3))) (b (bytevector 0 0 0 0))) (list (read-bytevector! b p 1) b)) ; => (3 #u8(0 1 2 3))
(let ((p (open-input-string "x"))) (close-port p) (list (input-port-open? p) (input-port? p) (textual-port? p) (output-port? p) (binary-port? p))) ; => (#f #t #t #f #f)
(let ((p (open-input-string "x"))) (close-input-port p) (read-char p)) ; error: read-char: the port is closed
(call-with-port (open-output-string) (lambda (p) (write 'x p) (get-output-string p))) ; => "x"
(define (text-of write x) (let ((p (open-output-string))) (write x p) (get-output-string p)))
(define loop-list (let ((l (list 'a 'b))) (set-cdr! (cdr l) l) l))
(text-of write loop-list) ; => "#0=(a b . #0#)"
(define shared (let ((s (list 1))) (list s s)))
(list (text-of write shared) (text-of write-shared shared) (text-of write-simple shared) (text-of display "a\nb") (text-of write "a\nb")) ; => ("((1) (1))" "(#0=(1) #0#)" "((1) (1))" "a\nb" "\"a\\nb\"")
(let ((v (vector 1 2))) (vector-set! v 1 v) (text-of write v)) ; => "#0=#(1 #0#)"
(equal? (read (open-input-string "#0=(a #1=(b) #1# . #0#)")) loop-list) ; => #f
(let ((x (read (open-input-string "#0=(a #1=(b) #1# . #0#)")))) (list (eq? (cadr x) (caddr x)) (eq? x (cdddr x)))) ; => (#t #t)
(list '#!eof (read (open-input-string "#!fold-case ABC #!no-fold-case"))) ; => (#<eof> abc)
(list (features)) ; => ((r7rs exact-closed ratios full-unicode nodwyn))
(cond-expand ((and r7rs (not no-such-feature)) 'yes) (else 'no)) ; => yes
(cond-expand ((library (scheme complex)) 'there) (else 'not)) ; => there
(list (boolean? (eof-object? (eof-object))) (string->symbol "x")) ; => (#t x)
(let ((k #f) (count 0)) (dynamic-wind (lambda () (set! count (+ count 1))) (lambda () (call/cc (lambda (c) (set! k c)))) (lambda () #t)) (if (< count 3) (k #f)) count) ; => 3
(define (generate-one-element-at-a-time lst) (define (control-state return) (for-each (lambda (element) (set! return (call/cc (lambda (resume) (set! control-state resume) (return element))))) lst) (return 'end)) (define (generator) (call/cc control-state)) generator)
(define digits (generate-one-element-at-a-time '(0 1 2)))
(define d0 (digits)) (define d1 (digits)) (define d2 (digits)) (define d3 (digits))
(list d0 d1 d2 d3) ; => (0 1 2 end)
(let-syntax () 5) ; => 5
(string->vector "abc" 1 2) ; => #(#\b)
(exact-integer-sqrt -1) ; error: exact-integer-sqrt: expected an exact non-negative integer, got -1
(symbol->string 5) ; error: symbol->string: expected a symbol, got 5
(vector-ref #(1 2) 2) ; error: vector-ref: index 2 is out of range for a vector of length 2
(call-with-current-continuation procedure?) ; => #t
; Data and characters read in turn from one port.
(let* ((p (open-input-string "(a b) c;comment\n \"d e\"f(g)\"")) (x (read p)) (c (read-char p)) (y (read p)) (l (read-line p)) (q (read-char p)) (r (read-char p)) (s (read p)) (t (read p)) (u (read p))) (list x c y l q r s t u (eof-object? (read p)))) ; => ((a b) #\space c ";comment" #\space #\" d e "f(g)" #t)
