(cond ((assv 'b '((a 1) (b 2))) => cadr) (else #f)) ; => 2
(cond (#f 1)) ; => #<unspecified>
(cond (5)) ; => 5
(case (* 2 3) ((2 3 5 7) 'prime) ((1 4 6 8 9) 'composite)) ; => composite
(case 'x ((a) 1) (else => (lambda (k) k))) ; => x
(and 1 2 3) ; => 3
(and) ; => #t
(or #f #f) ; => #f
(when #f 1) ; => #<unspecified>
(unless #f 1 2) ; => 2
(do ((vec (make-vector 5)) (i 0 (+ i 1))) ((= i 5) vec) (vector-set! vec i i)) ; => #(0 1 2 3 4)
`(1 ,(+ 1 1) ,@(list 3 4)) ; => (1 2 3 4)
`(a `(b ,(c ,(+ 1 2)))) ; => (a `(b ,(c 3)))
`#(1 ,@(list 2 3)) ; => #(1 2 3)
`(1 . ,(+ 1 1)) ; => (1 . 2)
(define p (make-parameter 10 (lambda (x) (* x 2))))
(list (p) (parameterize ((p 3)) (p)) (p)) ; => (20 6 20)
(define f (case-lambda ((a) (list 'one a)) ((a b) (list 'two a b)) ((a . rest) (list 'more a rest))))
(list (f 1) (f 1 2) (f 1 2 3)) ; => ((one 1) (two 1 2) (more 1 (2 3)))
(define-record-type <point> (make-point x y) point? (x point-x set-point-x!) (y point-y))
(define a (make-point 1 2))
(set-point-x! a 10)
(list (point-x a) (point-y a) (point? a) (point? 5)) ; => (10 2 #t #f)
(point-x 5) ; error: point-x: expected a point, got 5
(and-let* ((entry (assq 'b '((a . 1) (b . 2)))) (n (cdr entry)) ((> n 1))) (* n 10)) ; => 20
(map (cut - <> 1) '(1 2 3)) ; => (0 1 2)
(cond-expand (full-unicode 'yes) (else 'no)) ; => yes
(cond-expand ((and r7rs (not complex)) 'yes) (else 'no)) ; => yes
(define-syntax kw (syntax-rules () ((_) (define made 5))))
(let () (kw) 1) ; => 1
(if) ; error: if: bad syntax (if)
(let ((x)) x) ; error: let: expected (name value), got (x)
(lambda (x x) x) ; error: lambda: duplicate name x
if ; error: if is syntax and no value
(let () (define x 1)) ; error: let: the body ends in a definition, expected an expression
