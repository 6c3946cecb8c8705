import type { Rule } from 'eslint'

export const textOfText: Rule.RuleModule
