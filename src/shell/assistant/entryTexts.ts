/** What is read before the panel is loaded. */
export const entryTexts = {
  zh: { title: 'AI 助手', open: '打开 AI 助手', move: '上下拖动或按方向键可移动' },
  en: { title: 'AI assistant', open: 'Open the AI assistant', move: 'drag it up or down, or use the arrow keys' },
} as const
