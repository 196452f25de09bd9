; R7RS 4.1 to 4.3: expressions, derived syntax, macros.
((lambda x x) 3 4 5 6) ; => (3 4 5 6)
((lambda (x y . z) z) 3 4 5 6) ; => (5 6)
(if (> 3 2) 'yes 'no) ; => yes
(define x 28) (set! x 4) (+ x 1) ; => 5
(cond ((assv 'b '((a 1) (b 2))) => cadr) (else #f)) ; => 2
(cond (#f 1) (2)) ; => 2
(case (* 2 3) ((2 3 5 7) 'prime) ((1 4 6 8 9) 'composite)) ; => composite
(case (car '(c d)) ((a e i o u) 'vowel) ((w y) 'semivowel) (else => (lambda (x) x))) ; => c
(case 'x ((x) => list) (else 1)) ; => (x)
(and 1 2 'c '(f g)) ; => (f g)
(and) ; => #t
(or (memq 'b '(a b c)) (/ 3 0)) ; => (b c)
(or) ; => #f
(let ((x 2) (y 3)) (let* ((x 7) (z (+ x y))) (* z x))) ; => 70
(letrec ((even? (lambda (n) (if (= 0 n) #t (odd? (- n 1))))) (odd? (lambda (n) (if (= 0 n) #f (even? (- n 1)))))) (even? 88)) ; => #t
(letrec* ((p (lambda (x) (+ 1 (q (- x 1))))) (q (lambda (y) (if (= 0 y) 0 (+ 1 (p (- y 1)))))) (x (p 5)) (y x)) y) ; => 5
(let*-values (((a b) (values 1 2)) ((x y) (values a b))) (list a b x y)) ; => (1 2 1 2)
(let ((a 'a) (b 'b) (x 'x) (y 'y)) (let-values (((a b) (values x y)) ((x y) (values a b))) (list a b x y))) ; => (x y a b)
(let-values (((root rem) (exact-integer-sqrt 32)) (all (values 1 2))) (list root rem all)) ; => (5 7 (1 2))
(do ((vec (make-vector 5)) (i 0 (+ i 1))) ((= i 5) vec) (vector-set! vec i i)) ; => #(0 1 2 3 4)
(let ((x '(1 3 5 7 9))) (do ((x x (cdr x)) (sum 0 (+ sum (car x)))) ((null? x) sum))) ; => 25
(let loop ((numbers '(3 -2 1 6 -5)) (nonneg '()) (neg '())) (cond ((null? numbers) (list nonneg neg)) ((>= (car numbers) 0) (loop (cdr numbers) (cons (car numbers) nonneg) neg)) (else (loop (cdr numbers) nonneg (cons (car numbers) neg))))) ; => ((6 1 3) (-5 -2))
(when (> 1 0) 'a 'b) ; => b
(unless #f 1 2) ; => 2
(define integers (letrec ((next (lambda (n) (delay (cons n (next (+ n 1))))))) (next 0)))
(car (force (cdr (force (cdr (force integers)))))) ; => 2
(define (stream-filter p? s) (delay-force (if (null? (force s)) (delay '()) (let ((h (car (force s))) (t (cdr (force s)))) (if (p? h) (delay (cons h (stream-filter p? t))) (stream-filter p? t))))))
(car (force (stream-filter (lambda (n) (> n 5000)) integers))) ; => 5001
(define count 0)
(define p (delay (begin (set! count (+ count 1)) (if (> count x) count (force p)))))
(define x 5) (list (force p) (begin (set! x 10) (force p))) ; => (6 6)
(promise? (make-promise 1)) ; => #t
(force 7) ; => 7
(define radix (make-parameter 10 (lambda (x) (if (and (exact-integer? x) (<= 2 x 16)) x (error "invalid radix")))))
(define (f n) (number->string n (radix)))
(list (f 12) (parameterize ((radix 2)) (f 12)) (f 12)) ; => ("12" "1100" "12")
(parameterize ((radix 0)) (f 12)) ; error: invalid radix
`(list ,(+ 1 2) 4) ; => (list 3 4)
(let ((name 'a)) `(list ,name ',name)) ; => (list a 'a)
`(a ,(+ 1 2) ,@(map abs '(4 -5 6)) b) ; => (a 3 4 5 6 b)
`((foo ,(- 10 3)) ,@(cdr '(c)) . ,(car '(cons))) ; => ((foo 7) . cons)
`#(10 5 ,(sqrt 4) ,@(map sqrt '(16 9)) 8) ; => #(10 5 2 4 3 8)
`(a `(b ,(c ,(+ 1 2)))) ; => (a `(b ,(c 3)))
(let ((name1 'x) (name2 'y)) `(a `(b ,,name1 ,',name2 d) e)) ; => (a `(b ,x ,'y d) e)
`(1 . ,(+ 1 1)) ; => (1 . 2)
(define range (case-lambda ((e) (range 0 e)) ((b e) (do ((r '() (cons e r)) (e (- e 1) (- e 1))) ((< e b) r))) ((b e . more) (list b e more))))
(list (range 3) (range 3 5) (range 1 2 3 4)) ; => ((0 1 2) (3 4) (1 2 (3 4)))
; Macros.
(let ((x 'outer)) (let-syntax ((m (syntax-rules () ((m) x)))) (let ((x 'inner)) (m)))) ; => outer
(define-syntax my-or (syntax-rules () ((_) #f) ((_ e) e) ((_ e1 e2 ...) (let ((temp e1)) (if temp temp (my-or e2 ...))))))
(let ((x #f) (y 7) (temp 8) (let odd?) (if even?)) (my-or x (let temp) (if y) y)) ; => 7
(define-syntax be-like-begin (syntax-rules () ((_ name) (define-syntax name (syntax-rules () ((_ expr (... ...)) (begin expr (... ...))))))))
(be-like-begin sequence)
(sequence 1 2 3 4) ; => 4
(let ((=> #f)) (cond (#t => 'ok))) ; => ok
(define-syntax tail-pattern (syntax-rules () ((_ a ... b c) (list '(a ...) 'b 'c))))
(tail-pattern 1 2 3 4 5) ; => ((1 2 3) 4 5)
(define-syntax dotted-tail (syntax-rules () ((_ a ... b . c) '((a ...) b c))))
(dotted-tail 1 2 3 . 4) ; => ((1 2) 3 4)
(define-syntax vector-pattern (syntax-rules () ((_ #(a b ...) ...) '((a ...) ((b ...) ...)))))
(vector-pattern #(1 2 3) #(4) #(5 6)) ; => ((1 4 5) ((2 3) () (6)))
(define-syntax nested (syntax-rules () ((_ (a b ...) ...) '((b ... a) ...))))
(nested (1 2 3) (4) (5 6)) ; => ((2 3 1) (4) (6 5))
(define-syntax flat (syntax-rules () ((_ (a ...) ...) '(a ... ...))))
(flat (1 2) () (3)) ; => (1 2 3)
(define-syntax my-ellipsis (syntax-rules ::: () ((_ a :::) '(a ::: ...))))
(my-ellipsis 1 2) ; => (1 2 ...)
(define-syntax literal (syntax-rules (=>) ((_ a => b) 'arrow) ((_ a b c) 'other)))
(literal 1 => 2) ; => arrow
(let ((=> 0)) (literal 1 => 2)) ; => other
(define-syntax underscore (syntax-rules () ((foo _ _ x) 'x)))
(underscore 1 2 3) ; => 3
(define-syntax ellipsis-literal (syntax-rules (...) ((_ ... x) 'x)))
(ellipsis-literal ... y) ; => y
(letrec-syntax ((ev? (syntax-rules () ((_) #t) ((_ x . r) (od? . r)))) (od? (syntax-rules () ((_) #f) ((_ x . r) (ev? . r))))) (ev? 1 2 3 4)) ; => #t
(define-syntax while (syntax-rules () ((_ c b ...) (let lp () (when c b ... (lp))))))
(let ((i 0) (lp 5)) (while (< i lp) (set! i (+ i 1))) i) ; => 5
(define-syntax swap! (syntax-rules () ((_ a b) (let ((tmp a)) (set! a b) (set! b tmp)))))
(let ((tmp 1) (other 2)) (swap! tmp other) (list tmp other)) ; => (2 1)
(let () (define-syntax foo (syntax-rules () ((_ x) (define x 5)))) (foo y) y) ; => 5
(define-syntax jabberwocky (syntax-rules () ((_ hatter) (begin (define march-hare 42) (define-syntax hatter (syntax-rules () ((_) march-hare)))))))
(jabberwocky mad-hatter)
(mad-hatter) ; => 42
(define-syntax simple-let (syntax-rules () ((_ (head ... ((x . y) val) . tail) body1 body2 ...) (syntax-error "expected an identifier but got" (x . y))) ((_ ((name val) ...) body1 body2 ...) ((lambda (name ...) body1 body2 ...) val ...))))
(simple-let ((a 1) ((b c) 2)) a) ; error: expected an identifier but got (b c)
(let-values (((a . rest) (values 1 2 3))) (list a rest)) ; => (1 (2 3))
(define-values (v1 v2 . v3) (values 1 2 3 4))
(list v1 v2 v3) ; => (1 2 (3 4))
(let () (define-values (a b) (values 1 2)) (define-record-type thing (make-thing n) thing? (n thing-n)) (list a b (thing-n (make-thing 3)))) ; => (1 2 3)
