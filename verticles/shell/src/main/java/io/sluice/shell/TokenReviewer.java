package io.sluice.shell;

import io.vertx.core.Future;

/**
 * Reviews tokens. The process passes it directly to its users, as a token must not be on the bus. Safe from any thread.
 */
@FunctionalInterface
public interface TokenReviewer {
    /**
     * Reviews one token; does not retry and stores nothing.
     *
     * @param audience the audience that the token must have
     * @return completes within a bound, on any thread; fails when no review was possible, with a text that contains
     *     nothing of the token
     */
    Future<TokenReviewResult> review(String token, String audience);
}
