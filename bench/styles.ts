/**
 * Links the extracted antd styles (scripts/antdCss.ts), as the portal's page does. antd's own twins go without, as a page
 * written by hand with antd does. `?css=js` leaves them out: how much they save.
 */
export const linkStyles = (): Promise<void> =>
  new Promise((resolve, reject) => {
    if (new URLSearchParams(location.search).get('css') === 'js') {
      resolve()
      return
    }
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = '/antd.css'
    link.onload = () => resolve()
    link.onerror = () => reject(new Error('antd.css is not in the build.'))
    document.head.prepend(link)
  })
