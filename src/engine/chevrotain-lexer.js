// The part of chevrotain that lexer.ts uses, taken from its own files: what the build puts in the place
// of the whole. Only build.ts names this file.

export { Lexer } from '../../node_modules/chevrotain/lib/src/scan/lexer_public.js'
export { createToken } from '../../node_modules/chevrotain/lib/src/scan/tokens_public.js'
