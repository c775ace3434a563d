const DATA = /^data: ?(.*)$/;

/** The messages of a stream of server-sent events, as JSON. */
export async function* liveMessages<T>(response: Response): AsyncGenerator<T, void, void> {
  const { body } = response;
  if (!body) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + value).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const text = DATA.exec(line)?.[1];
        if (text !== undefined) yield JSON.parse(text) as T;
      }
    }
  } finally {
    await reader.cancel();
  }
}
