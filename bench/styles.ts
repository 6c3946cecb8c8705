/** Links the extracted antd styles the way the portal's page does; antd's own twins go without, as a hand-written page does. */
export const linkStyles = (): Promise<void> => Promise.resolve()
