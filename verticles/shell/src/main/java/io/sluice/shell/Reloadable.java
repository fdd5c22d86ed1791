package io.sluice.shell;

import io.vertx.core.Future;

/**
 * A verticle that takes a new config while it runs.
 *
 * @param <C> its section
 */
public interface Reloadable<C> {
    /**
     * Puts a new section into force. Only some keys can change while the process runs; the caller ensures that the
     * others are unchanged. Safe from any thread.
     *
     * @return fails with a sentence where the new section cannot be taken, such as an unreadable certificate; the old
     *     one then stays in force
     */
    Future<Void> reload(C section);
}
