/**
 * A list of the service. `await` gives its first page; `for await` goes through all of its rows, page
 * by page, and asks for a page when it comes to it.
 */
export class List<Page extends { nextCursor: string | null }, Row>
  implements AsyncIterable<Row>, PromiseLike<Page>
{
  readonly #load: (cursor: string | undefined) => Promise<Page>;
  readonly #rowsOf: (page: Page) => readonly Row[];

  constructor(
    load: (cursor: string | undefined) => Promise<Page>,
    rowsOf: (page: Page) => readonly Row[],
  ) {
    this.#load = load;
    this.#rowsOf = rowsOf;
  }

  // biome-ignore lint/suspicious/noThenProperty: one call serves both who wants a page and who wants all.
  then<Result = Page, Failure = never>(
    onFulfilled?: ((page: Page) => Result | PromiseLike<Result>) | null,
    onRejected?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    return this.#load(undefined).then(onFulfilled, onRejected);
  }

  /** Page by page, from the first one. */
  async *pages(): AsyncGenerator<Page> {
    let cursor: string | undefined;
    do {
      const page = await this.#load(cursor);
      yield page;
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row> {
    for await (const page of this.pages()) yield* this.#rowsOf(page);
  }
}
