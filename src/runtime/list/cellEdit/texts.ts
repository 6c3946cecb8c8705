export const cellTexts = {
  zh: {
    label: (column: string, record: string) => `修改“${record}”的${column}`,
    save: '保存',
    keys: (chosen: boolean) => (chosen ? 'Esc 取消' : 'Enter 保存 · Esc 取消'),
  },
  en: {
    label: (column: string, record: string) => `Change ${column} of ${record}`,
    save: 'Save',
    keys: (chosen: boolean) => (chosen ? 'Esc cancels' : 'Enter saves · Esc cancels'),
  },
}
