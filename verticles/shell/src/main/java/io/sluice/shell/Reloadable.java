package io.sluice.shell;

import io.vertx.core.Future;

/**
 * A verticle that takes a new configuration while it runs.
 *
 * @param <C> its section
 */
public interface Reloadable<C> {
    /**
     * From now on this holds. Of a section only some keys can be taken while running; whoever calls has seen to it that
     * the others are as they were. Safe from any thread.
     *
     * @return fails with a sentence where the new section cannot be taken, such as a certificate that is unreadable;
     *     the old one then goes on
     */
    Future<Void> reload(C section);
}
