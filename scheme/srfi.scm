;;; What programs reach for beside R7RS: the rest of SRFI 1, and what goes with the builtins of SRFI 13,
;;; 69, 95, 132 and 133. Compiled when the program is built, like prelude.scm, and loaded into an engine
;;; when a program first uses one of its names.

;;; Lists (SRFI 1).

(define (circular-list item . more)
  "A list of the elements that begins again after the last."
  (let ((items (cons item more)))
    (set-cdr! (last-pair items) items)
    items))

(define (proper-list? obj)
  "Tells whether obj is a list that ends in ()."
  (list? obj))

(define (circular-list? obj)
  "Tells whether obj is a list without an end."
  (let loop ((slow obj) (fast obj))
    (and (pair? fast)
         (let ((fast (cdr fast)))
           (and (pair? fast)
                (let ((fast (cdr fast)) (slow (cdr slow)))
                  (or (eq? fast slow) (loop slow fast))))))))

(define (dotted-list? obj)
  "Tells whether obj is a list that ends in something else than ()."
  (and (not (list? obj)) (not (circular-list? obj))))

(define (not-pair? obj)
  "Tells whether obj is no pair."
  (not (pair? obj)))

(define (null-list? items)
  "Tells whether a list is empty; an error for what is neither a pair nor ()."
  (cond ((null? items) #t)
        ((pair? items) #f)
        (else (%wrong-type "null-list?" "a list" items))))

(define (list= same? . lists)
  "Tells whether the lists have the same elements in the same order, by same?."
  (define (two a b)
    (cond ((null? a) (null? b))
          ((null? b) #f)
          (else (and (same? (car a) (car b)) (two (cdr a) (cdr b))))))
  (or (null? lists)
      (let loop ((first (car lists)) (rest (cdr lists)))
        (or (null? rest)
            (and (or (eq? first (car rest)) (two first (car rest)))
                 (loop (car rest) (cdr rest)))))))

(define (sixth items) "The sixth element of a list." (list-ref items 5))
(define (seventh items) "The seventh element of a list." (list-ref items 6))
(define (eighth items) "The eighth element of a list." (list-ref items 7))
(define (ninth items) "The ninth element of a list." (list-ref items 8))
(define (tenth items) "The tenth element of a list." (list-ref items 9))

(define (car+cdr pair)
  "Two values: the car and the cdr of a pair."
  (values (car pair) (cdr pair)))

(define (split-at items k)
  "Two values: the first k elements, and the rest."
  (values (take items k) (drop items k)))

(define (length+ items)
  "How many elements a list has; #f for a circular one."
  (if (circular-list? items) #f (length items)))

(define (zip items . more)
  "The list of lists of the elements that stand at the same place."
  (apply map list items more))

(define (unzip1 lists) "The list of the first elements." (map first lists))
(define (unzip2 lists)
  "Two values: the lists of the first and of the second elements."
  (values (map first lists) (map second lists)))
(define (unzip3 lists)
  "As unzip2, for three."
  (values (map first lists) (map second lists) (map third lists)))
(define (unzip4 lists)
  "As unzip2, for four."
  (values (map first lists) (map second lists) (map third lists) (map fourth lists)))
(define (unzip5 lists)
  "As unzip2, for five."
  (values (map first lists) (map second lists) (map third lists) (map fourth lists) (map fifth lists)))

(define (%all-pairs? lists)
  (every pair? lists))

(define (pair-fold combine seed items . more)
  "As fold, with the rest of each list from an element on instead of the element."
  (let loop ((lists (cons items more)) (result seed))
    (if (%all-pairs? lists)
        (let ((rests (map cdr lists)))
          (loop rests (apply combine (append lists (list result)))))
        result)))

(define (pair-fold-right combine seed items . more)
  "As fold-right, with the rest of each list from an element on instead of the element."
  (let loop ((lists (cons items more)))
    (if (%all-pairs? lists)
        (apply combine (append lists (list (loop (map cdr lists)))))
        seed)))

(define (pair-for-each procedure items . more)
  "Applies procedure to the lists, then to their cdrs, and so on, for its effect."
  (let loop ((lists (cons items more)))
    (if (%all-pairs? lists)
        (let ((rests (map cdr lists)))
          (apply procedure lists)
          (loop rests)))))

(define (unfold-right stop? mapper successor seed . tail)
  "As unfold, built from the right: the value for seed is the last element."
  (let loop ((seed seed) (items (if (null? tail) '() (car tail))))
    (if (stop? seed) items (loop (successor seed) (cons (mapper seed) items)))))

(define (map-in-order procedure items . more)
  "As map, which goes from left to right here too."
  (apply map procedure items more))

(define (alist-cons key value alist)
  "An association list with one pair more in front."
  (cons (cons key value) alist))

(define (alist-copy alist)
  "A copy of an association list, its pairs copied too."
  (map (lambda (entry) (if (pair? entry) (cons (car entry) (cdr entry)) entry)) alist))

(define (alist-delete key alist . same)
  "The pairs of an association list whose car is not equal? to key."
  (let ((same? (if (null? same) equal? (car same))))
    (remove (lambda (entry) (same? key (car entry))) alist)))

;; What SRFI 1 calls linear update may reuse its argument and need not.
(define (take! items k) "As take." (take items k))
(define (drop-right! items k) "As drop-right." (drop-right items k))
(define (split-at! items k) "As split-at." (split-at items k))
(define (concatenate! lists) "As concatenate." (concatenate lists))
(define (append-reverse! items tail) "As append-reverse." (append-reverse items tail))
(define (append-map! procedure items . more) "As append-map." (apply append-map procedure items more))
(define (map! procedure items . more) "As map." (apply map procedure items more))
(define (filter! keep? items) "As filter." (filter keep? items))
(define (remove! drop? items) "As remove." (remove drop? items))
(define (partition! in? items) "As partition." (partition in? items))
(define (take-while! keep? items) "As take-while." (take-while keep? items))
(define (span! keep? items) "As span." (span keep? items))
(define (break! stop? items) "As break." (break stop? items))
(define (delete! item items . same) "As delete." (apply delete item items same))
(define (delete-duplicates! items . same) "As delete-duplicates." (apply delete-duplicates items same))
(define (alist-delete! key alist . same) "As alist-delete." (apply alist-delete key alist same))

;;; Lists as sets (SRFI 1).

(define (%in? same? items)
  (lambda (item) (any (lambda (other) (same? other item)) items)))

(define (lset<= same? . lists)
  "Tells whether each list's elements are all in the next one, by same?."
  (or (null? lists)
      (let loop ((first (car lists)) (rest (cdr lists)))
        (or (null? rest)
            (and (every (%in? (lambda (a b) (same? b a)) (car rest)) first)
                 (loop (car rest) (cdr rest)))))))

(define (lset= same? . lists)
  "Tells whether the lists have the same elements, in any order, by same?."
  (or (null? lists)
      (let loop ((first (car lists)) (rest (cdr lists)))
        (or (null? rest)
            (and (lset<= same? first (car rest))
                 (lset<= same? (car rest) first)
                 (loop (car rest) (cdr rest)))))))

(define (lset-adjoin same? items . more)
  "The list with those of the objects that are not in it."
  (fold (lambda (item items) (if ((%in? same? items) item) items (cons item items))) items more))

(define (lset-union same? . lists)
  "The elements that are in one of the lists."
  (if (null? lists)
      '()
      (fold (lambda (items result)
              (cond ((null? items) result)
                    ((null? result) items)
                    ((eq? items result) result)
                    (else (apply lset-adjoin same? result items))))
            (car lists)
            (cdr lists))))

(define (lset-intersection same? items . lists)
  "The elements of the first list that are in all the others."
  (filter (lambda (item) (every (lambda (other) ((%in? same? other) item)) lists)) items))

(define (lset-difference same? items . lists)
  "The elements of the first list that are in none of the others."
  (remove (lambda (item) (any (lambda (other) ((%in? same? other) item)) lists)) items))

(define (lset-xor same? . lists)
  "The elements that are in an odd number of the lists."
  (fold (lambda (items result)
          (append (lset-difference same? items result) (lset-difference same? result items)))
        '()
        lists))

(define (lset-diff+intersection same? items . lists)
  "Two values: the elements of the first list that are in none of the others, and the rest of it."
  (partition (lambda (item) (not (any (lambda (other) ((%in? same? other) item)) lists))) items))

(define (lset-union! same? . lists) "As lset-union." (apply lset-union same? lists))
(define (lset-intersection! same? items . lists) "As lset-intersection." (apply lset-intersection same? items lists))
(define (lset-difference! same? items . lists) "As lset-difference." (apply lset-difference same? items lists))
(define (lset-xor! same? . lists) "As lset-xor." (apply lset-xor same? lists))
(define (lset-diff+intersection! same? items . lists)
  "As lset-diff+intersection."
  (apply lset-diff+intersection same? items lists))

;;; Sorting (SRFI 95, 132).

(define (sorted? items less?)
  "Tells whether a list or vector is in order."
  (let ((items (if (vector? items) (vector->list items) items)))
    (or (null? items)
        (let loop ((items items))
          (or (null? (cdr items))
              (and (not (less? (cadr items) (car items))) (loop (cdr items))))))))

(define (merge a b less?)
  "The elements of two lists or vectors in order, in one; of equal ones those of the first come first."
  (if (vector? a)
      (list->vector (merge (vector->list a) (vector->list b) less?))
      (let loop ((a a) (b b) (merged '()))
        (cond ((null? a) (append-reverse merged b))
              ((null? b) (append-reverse merged a))
              ((less? (car b) (car a)) (loop a (cdr b) (cons (car b) merged)))
              (else (loop (cdr a) b (cons (car a) merged)))))))

(define (merge! a b less?) "As merge." (merge a b less?))
(define (list-sorted? less? items) "As sorted?, with the arguments the other way round." (sorted? items less?))
(define (list-stable-sort less? items) "As list-sort, which is stable." (list-sort less? items))
(define (list-merge less? a b) "As merge, with less? first." (merge a b less?))
(define (vector-sort less? items)
  "The elements of a vector in order; equal ones keep theirs."
  (if (vector? less?) (sort less? items) (sort items less?)))
(define (vector-sort! less? items)
  "Puts the elements of a vector in order."
  (if (vector? less?) (sort! less? items) (sort! items less?)))

;;; Vectors (SRFI 133).

(define (vector-index found? items)
  "The index of the first element for which found? is true, or #f."
  (let ((n (vector-length items)))
    (let loop ((i 0))
      (cond ((= i n) #f)
            ((found? (vector-ref items i)) i)
            (else (loop (+ i 1)))))))

(define (vector-count holds? items)
  "How many elements holds? is true for."
  (vector-fold (lambda (n item) (if (holds? item) (+ n 1) n)) 0 items))

(define (vector-fold combine seed items)
  "Combines the elements from left to right: (combine so-far element)."
  (let ((n (vector-length items)))
    (let loop ((i 0) (result seed))
      (if (= i n) result (loop (+ i 1) (combine result (vector-ref items i)))))))

(define (vector-fold-right combine seed items)
  "Combines the elements from right to left: (combine so-far element)."
  (let loop ((i (- (vector-length items) 1)) (result seed))
    (if (< i 0) result (loop (- i 1) (combine result (vector-ref items i))))))

(define (vector-any holds? items)
  "The first true result of holds? for the elements, or #f."
  (any holds? (vector->list items)))

(define (vector-every holds? items)
  "The last result of holds? where all are true, else #f."
  (every holds? (vector->list items)))

(define (vector-swap! items i j)
  "Exchanges two elements of a vector."
  (let ((kept (vector-ref items i)))
    (vector-set! items i (vector-ref items j))
    (vector-set! items j kept)))

(define (vector-binary-search items key compare)
  "The index of key in a vector in order, or #f; (compare element key) is negative, 0 or positive."
  (let loop ((low 0) (high (- (vector-length items) 1)))
    (if (> low high)
        #f
        (let* ((middle (quotient (+ low high) 2))
               (order (compare (vector-ref items middle) key)))
          (cond ((= order 0) middle)
                ((< order 0) (loop (+ middle 1) high))
                (else (loop low (- middle 1))))))))

(define (vector-map! procedure items)
  "Replaces each element of a vector by what procedure returns for it."
  (let ((n (vector-length items)))
    (do ((i 0 (+ i 1))) ((= i n)) (vector-set! items i (procedure (vector-ref items i))))))

(define (vector-tabulate procedure n)
  "The vector of the results of procedure for 0 up to n."
  (list->vector (list-tabulate n procedure)))

;;; Strings (SRFI 13, 130, 152).

(define (string-take text k) "The first k characters of a string." (substring text 0 k))
(define (string-drop text k) "A string without its first k characters." (substring text k))
(define (string-take-right text k)
  "The last k characters of a string."
  (substring text (- (string-length text) k)))
(define (string-drop-right text k)
  "A string without its last k characters."
  (substring text 0 (- (string-length text) k)))

(define (%char-test wanted)
  (cond ((procedure? wanted) wanted)
        ((char? wanted) (lambda (char) (char=? char wanted)))
        (else (%wrong-type "string-index" "a character or a predicate" wanted))))

(define (string-index-right text wanted)
  "The index of the last character that is wanted, or for which wanted is true; or #f."
  (let ((wanted? (%char-test wanted)))
    (let loop ((i (- (string-length text) 1)))
      (cond ((< i 0) #f)
            ((wanted? (string-ref text i)) i)
            (else (loop (- i 1)))))))

(define (string-skip text wanted)
  "The index of the first character that is not wanted, or #f."
  (let ((wanted? (%char-test wanted)))
    (string-index text (lambda (char) (not (wanted? char))))))

(define (string-any holds? text)
  "The first true result of holds? for the characters, or #f."
  (any (%char-test holds?) (string->list text)))

(define (string-every holds? text)
  "The last result of holds? where all are true, else #f."
  (every (%char-test holds?) (string->list text)))

(define (string-filter holds? text)
  "The characters for which holds? is true."
  (list->string (filter (%char-test holds?) (string->list text))))

(define (string-remove holds? text)
  "The characters for which holds? is false."
  (let ((drop? (%char-test holds?)))
    (list->string (remove drop? (string->list text)))))

(define (string-fold combine seed text)
  "Combines the characters from left to right: (combine char so-far)."
  (fold combine seed (string->list text)))

(define (string-fold-right combine seed text)
  "Combines the characters from right to left: (combine char so-far)."
  (fold-right combine seed (string->list text)))

(define (string-concatenate strings)
  "The strings of a list one after the other."
  (apply string-append strings))

(define (string-tabulate procedure n)
  "The string of the characters that procedure returns for 0 up to n."
  (list->string (list-tabulate n procedure)))

(define (string-replace text part start end)
  "The string with the characters from start up to end replaced by part."
  (string-append (substring text 0 start) part (substring text end)))

(define (string-titlecase text)
  "The string with the first letter of each word in upper case and the others in lower case."
  (let loop ((chars (string->list text)) (inside? #f) (done '()))
    (if (null? chars)
        (list->string (reverse done))
        (let ((char (car chars)))
          (loop (cdr chars)
                (char-alphabetic? char)
                (cons (if inside? (char-downcase char) (char-upcase char)) done))))))

(define (string-pad text n . fill)
  "The string cut or filled at its left to n characters."
  (apply string-pad-left text n fill))

(define (string-search-backward part text end)
  "The index up to end behind the last place where part stands in a string, or #f."
  (let ((n (string-length part)))
    (let loop ((at (- end n)))
      (cond ((< at 0) #f)
            ((string=? (substring text at (+ at n)) part) (+ at n))
            (else (loop (- at 1)))))))

(define (string-search-all part text)
  "The indices of all places where part stands in a string."
  (let loop ((start 0) (found '()))
    (let ((at (and (<= start (string-length text)) (string-search-forward part text start))))
      (if at (loop (+ at 1) (cons at found)) (reverse found)))))

(define (string-tokenize text . wanted)
  "The parts of a string that consist of wanted characters: those that are no white space."
  (let ((wanted? (if (null? wanted) (lambda (char) (not (char-whitespace? char))) (%char-test (car wanted)))))
    (let loop ((chars (string->list text)) (word '()) (words '()))
      (define (finished)
        (if (null? word) words (cons (list->string (reverse word)) words)))
      (cond ((null? chars) (reverse (finished)))
            ((wanted? (car chars)) (loop (cdr chars) (cons (car chars) word) words))
            (else (loop (cdr chars) '() (finished)))))))

;;; Hash tables (SRFI 69, 125).

(define (hash-table-intern! table key make)
  "The value of a key; where there is none, what the thunk make returns becomes it."
  (if (hash-table-contains? table key)
      (hash-table-ref table key)
      (let ((value (make)))
        (hash-table-set! table key value)
        value)))

(define (hash-table-update-all! table procedure)
  "Sets each value to (procedure key value)."
  (hash-table-walk table (lambda (key value) (hash-table-set! table key (procedure key value)))))

(define (hash-table-merge! table other)
  "Adds the keys of another table that table does not have, and returns table."
  (hash-table-walk other
    (lambda (key value) (if (not (hash-table-contains? table key)) (hash-table-set! table key value))))
  table)

(define (hash-table-union! table other) "As hash-table-merge!." (hash-table-merge! table other))

(define (hash-table-prune! drop? table)
  "Removes the keys for which (drop? key value) is true."
  (hash-table-walk table (lambda (key value) (if (drop? key value) (hash-table-delete! table key)))))

(define (hash-table-find found? table)
  "The first true result of (found? key value), or #f."
  (any (lambda (entry) (found? (car entry) (cdr entry))) (hash-table->alist table)))

(define (hash-table-empty? table) "Tells whether a table has no keys." (= (hash-table-size table) 0))

(define (hash-table-for-each procedure table)
  "Calls procedure with each key and its value."
  (if (procedure? table) (hash-table-walk procedure table) (hash-table-walk table procedure)))

(define (hash-table . keys-and-values)
  "A hash table, compared with equal?, of keys and values in turn; a comparison may stand first."
  (let ((table (make-equal-hash-table)))
    (let loop ((rest (if (and (pair? keys-and-values) (procedure? (car keys-and-values))) (cdr keys-and-values) keys-and-values)))
      (if (null? rest)
          table
          (begin (hash-table-set! table (car rest) (cadr rest)) (loop (cddr rest)))))))
