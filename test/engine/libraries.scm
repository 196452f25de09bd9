; A library has its own names; its body runs once, when it is first imported.
(define-library (stack)
  (export make push! (rename stack-size size) my-if pushes)
  (import (scheme base) (scheme write))
  (begin
    (define-record-type stack (new items) stack? (items items set-items!))
    (define (make) (new '()))
    (define count 0)
    (define (push! s x) (set! count (+ count 1)) (set-items! s (cons x (items s))))
    (define (stack-size s) (length (items s)))
    (define-syntax my-if (syntax-rules (then else) ((_ c then a else b) (if c a b))))
    (define-syntax pushes (syntax-rules () ((_) count)))
    (display "body")))
(import (prefix (stack) s:)) ; out: body
(import (only (stack) make push!)) ; out:
(define s (make))
(push! s 1)
(s:push! s 2)
(s:size s) ; => 2
(s:pushes) ; => 2
(s:my-if #t then 1 else 2) ; => 1
stack-size ; error: unbound variable stack-size
(let ((if list)) (s:my-if #t then 1 else 2)) ; => 1
(set! make 1) ; error: set!: make is imported from a library and cannot be set
; A program may define anew what it imports; the library does not notice.
(define (push! s x) 'mine)
(push! s 1) ; => mine
(s:push! s 1)
(s:size s) ; => 3

; What a library does not import it does not have.
(define-library (bare) (export f) (import (only (scheme base) define quote)) (begin (define (f) (car '(1)))))
(import (bare))
(f) ; error: unbound variable car
; A program's own definitions do not reach into a library.
(define-library (uses-car) (export first-of) (import (scheme base)) (begin (define (first-of x) (car x))))
(define (car x) 'changed)
(import (uses-car))
(first-of '(1)) ; => 1

; A definition that a macro of a library makes is the program's.
(define-library (defining) (export define-counter) (import (scheme base))
  (begin (define-syntax define-counter
    (syntax-rules () ((_ next) (begin (define state 0) (define (next) (set! state (+ state 1)) state)))))))
(import (defining))
(define-counter tick)
(tick)
(tick) ; => 2

(define-library (lazy-greeting) (export hello) (import (scheme base)) (begin (define hello (string->symbol "hello"))))
(define-library (uses-greeting) (export twice) (import (scheme base) (lazy-greeting)) (begin (define twice (list hello hello))))
(import (uses-greeting))
twice ; => (hello hello)

(define-library (chosen) (import (scheme base)) (export x)
  (cond-expand ((library (no such)) (begin (define x 'no))) ((and r7rs (library (scheme base))) (begin (define x 'yes)))))
(import (rename (chosen) (x chosen-x)))
chosen-x ; => yes

(import (only (scheme base) kar)) ; error: import: (scheme base) has no kar
(define-library (a) (export b)) (import (a)) ; error: define-library: (a) exports b, which it does not define
(define-library (c) (import (d))) (define-library (d) (import (c))) (import (c)) ; error: import: (c) imports itself, directly or through others
(import (no such library)) ; error: import: unknown library (no such library)
(let () (import (scheme base)) 1) ; error: import: an import can only stand at the top level
(define-library (broken) (export x) (import (scheme base)) (begin (define x (error "not today"))))
(import (broken)) ; error: not today
(import (broken)) ; error: not today
(import (except (scheme base) car)) (import (rename (scheme base) (car kar)))
(kar '(1 2)) ; => 1

; Environments.
(eval '(+ 1 2) (environment '(scheme base))) ; => 3
(eval '(car '(1)) (environment '(only (scheme base) cdr quote))) ; error: unbound variable car
(eval '(my-if #t then 1 else 2) (environment '(stack) '(scheme base))) ; => 1
(eval 'car (scheme-report-environment 5)) ; => #<procedure car>
(define here 5)
(eval 'here (interaction-environment)) ; => 5
(eval 'here (environment '(scheme base))) ; error: unbound variable here
