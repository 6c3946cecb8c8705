/** What the buttons of the text editor say. */
export const EDITOR_TEXTS = {
  bold: { zh: '粗体', en: 'Bold' },
  italic: { zh: '斜体', en: 'Italic' },
  strike: { zh: '删除线', en: 'Strikethrough' },
  heading: { zh: '标题', en: 'Heading' },
  bulletList: { zh: '项目符号', en: 'Bullets' },
  orderedList: { zh: '编号', en: 'Numbers' },
  quote: { zh: '引用', en: 'Quote' },
  link: { zh: '链接', en: 'Link' },
  linkAddress: { zh: '链接地址', en: 'Address of the link' },
  undo: { zh: '撤销', en: 'Undo' },
  redo: { zh: '重做', en: 'Redo' },
} as const
