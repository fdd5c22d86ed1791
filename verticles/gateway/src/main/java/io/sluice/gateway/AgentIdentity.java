package io.sluice.gateway;

import io.sluice.gateway.core.AgentAnswers;
import io.sluice.gateway.core.AgentPod;
import io.sluice.gateway.core.Caller;
import io.sluice.gateway.core.ConcurrencyLimiter;
import io.sluice.gateway.core.HttpAnswer;
import io.sluice.gateway.core.RateLimiter;
import io.sluice.gateway.core.identity.IdentityResult;
import io.sluice.gateway.core.identity.IdentityRule;
import io.sluice.gateway.core.identity.TokenMark;
import io.sluice.gateway.core.identity.TokenRefusal;
import io.sluice.gateway.core.identity.TokenReviewCache;
import io.sluice.gateway.listener.BearerToken;
import io.sluice.shell.Shell;
import io.sluice.shell.TokenReviewResult;
import io.sluice.shell.TokenReviewer;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Identifies the clients of the agent API by their tokens. For each token one review is under way at a time, however
 * many requests wait for it; its result is cached for a while. All of it runs on the event loop of the listener.
 */
final class AgentIdentity {
    private static final int REVIEWS_MAX = 64;
    private static final int WRONG_PER_SECOND = 5;
    private static final int WRONG_AT_ONCE = 20;

    /**
     * A request waits no longer than for the ledger; the review continues, and the next request may find its result.
     */
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private final Vertx vertx;
    private final Context context;
    private final Shell shell;
    private final TokenReviewer reviewer;
    private final String audience;
    private final IdentityRule rule;
    private final TokenReviewCache cache = new TokenReviewCache();
    private final ConcurrencyLimiter reviewed = new ConcurrencyLimiter(REVIEWS_MAX);
    private final RateLimiter wrong = new RateLimiter(WRONG_PER_SECOND, WRONG_AT_ONCE);
    private final Map<String, Future<TokenReviewResult>> underWay = new HashMap<>();
    private final IdentityLog log;

    AgentIdentity(Vertx vertx, TokenReviewConfig config, Shell shell, TokenReviewer reviewer) {
        this.vertx = vertx;
        this.shell = shell;
        this.reviewer = reviewer;
        context = vertx.getOrCreateContext();
        audience = config.audience();
        rule = new IdentityRule(audience, config.serviceAccounts(), config.nodes());
        log = new IdentityLog(shell);
        log.watch(cache, reviewed);
    }

    /** Returns the sender of a request; never fails. Requests with the same token complete in the order of arrival. */
    Future<IdentityResult> of(HttpServerRequest request) {
        var peer = request.remoteAddress().host();
        var token = BearerToken.of(request).orElse("");
        var hash = TokenMark.hash(token);
        var known = cache.find(hash, now());
        if (known.isPresent()) {
            return Future.succeededFuture(weighed(known.get(), peer));
        }
        var review = underWay.get(hash);
        return review == null ? request(token, peer) : patiently(review, peer);
    }

    /** Removes expired entries; to be called a few times a second. */
    void tidy() {
        wrong.tidy(now());
    }

    /** A client that tries out tokens causes only a few reviews at the API server and delays no other client. */
    private Future<IdentityResult> request(String token, String peer) {
        var wait = wrong.waiting(peer, now());
        if (wait.isPresent()) {
            return unknown(AgentAnswers.tooManyWrongTokens(wait.get()));
        }
        return switch (reviewed.enter(peer)) {
            case FULL -> unknown(AgentAnswers.TOO_MANY);
            case GREEDY -> unknown(AgentAnswers.TOO_MANY_OF_YOURS);
            case ADMITTED -> patiently(begin(token, peer), peer);
        };
    }

    private static Future<IdentityResult> unknown(HttpAnswer answer) {
        return Future.succeededFuture(new IdentityResult.Unknown(answer));
    }

    /** Records that an agent requested a permit for a pod of another node than its own. */
    void elsewhere(Caller caller, AgentPod pod) {
        log.turnedAway(
                TokenRefusal.ELSEWHERE,
                caller.name(),
                "it is on node " + caller.onlyNode().orElse("") + " and requested a permit for pod " + pod.pod()
                        + " on node " + pod.node());
    }

    private Future<TokenReviewResult> begin(String token, String peer) {
        var mark = TokenMark.of(token);
        var reported = Promise.<TokenReviewResult>promise();
        var requested = now();
        underWay.put(mark.hash(), reported.future());
        Future.succeededFuture()
                .compose(go -> reviewer.review(token, audience))
                .onComplete(ended -> context.runOnContext(go -> {
                    reviewed.left(peer);
                    underWay.remove(mark.hash());
                    if (ended.succeeded()) {
                        cache.reviewed(mark, ended.result(), requested);
                        if (ended.result() instanceof TokenReviewResult.Rejected) {
                            wrong.pass(peer, now());
                        }
                    }
                    log.reviewed(ended);
                    reported.handle(ended);
                }));
        return reported.future();
    }

    private Future<IdentityResult> patiently(Future<TokenReviewResult> review, String peer) {
        var answer = Promise.<IdentityResult>promise();
        long timer = vertx.setTimer(
                TIMEOUT.toMillis(), late -> answer.tryComplete(new IdentityResult.Unknown(AgentAnswers.UNREVIEWED)));
        review.onComplete(ended -> {
            if (vertx.cancelTimer(timer)) {
                answer.tryComplete(identified(ended, peer));
            }
        });
        return answer.future();
    }

    private IdentityResult identified(AsyncResult<TokenReviewResult> ended, String peer) {
        return ended.succeeded() ? weighed(ended.result(), peer) : new IdentityResult.Unknown(AgentAnswers.UNREVIEWED);
    }

    private IdentityResult weighed(TokenReviewResult result, String peer) {
        var found = rule.weigh(result);
        if (found instanceof IdentityResult.Stranger(var reason, var _, var detail)) {
            log.turnedAway(reason, peer, detail);
        }
        return found;
    }

    private Instant now() {
        return shell.clock().instant();
    }
}
