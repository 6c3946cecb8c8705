/** What the portal adds to Formily's components. */
export const FORMILY_TEXTS = {
  next: { zh: '下一步', en: 'Next' },
  previous: { zh: '上一步', en: 'Back' },
} as const
