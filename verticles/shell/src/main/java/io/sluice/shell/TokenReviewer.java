package io.sluice.shell;

import io.vertx.core.Future;

/**
 * Whoever can say whose a token is. It is handed over by its process, as a token has no business on the bus. Safe from
 * any thread.
 */
@FunctionalInterface
public interface TokenReviewer {
    /**
     * Asks about one token; repeats nothing and keeps nothing.
     *
     * @param audience for whom the token must have been made
     * @return completes within a bound, on any thread; fails when nobody could be asked, with words that hold nothing
     *     of the token
     */
    Future<TokenReviewResult> review(String token, String audience);
}
