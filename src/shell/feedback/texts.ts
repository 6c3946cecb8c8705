export const feedbackTexts = {
  zh: {
    gotIt: '我知道了',
    invitation: '这个页面用得怎么样？说说哪里可以更好。',
    write: '写反馈',
    later: '以后再说',
    rate: '请评分',
  },
  en: {
    gotIt: 'Got it',
    invitation: 'How does this page work for you? Say what could be better.',
    write: 'Write feedback',
    later: 'Not now',
    rate: 'How is it?',
  },
} as const
