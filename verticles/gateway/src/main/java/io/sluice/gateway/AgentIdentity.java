package io.sluice.gateway;

import io.sluice.gateway.core.AgentAnswers;
import io.sluice.gateway.core.AgentPod;
import io.sluice.gateway.core.Caller;
import io.sluice.gateway.core.ConcurrencyLimiter;
import io.sluice.gateway.core.HttpAnswer;
import io.sluice.gateway.core.IdentityResult;
import io.sluice.gateway.core.IdentityRule;
import io.sluice.gateway.core.RateLimiter;
import io.sluice.gateway.core.TokenMark;
import io.sluice.gateway.core.TokenRefusal;
import io.sluice.gateway.core.TokenReviewCache;
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
 * Finds out who asks at the agents' door. Of each token one review is under way, whoever waits for it; what it came to
 * is believed for a while. All of it runs on the door's event loop.
 */
final class AgentIdentity {
    private static final int REVIEWS_MAX = 64;
    private static final int WRONG_PER_SECOND = 5;
    private static final int WRONG_AT_ONCE = 20;

    /** A caller waits no longer than for the ledger; the review goes on, and the next request may find it done. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Vertx vertx;
    private final Context context;
    private final Shell shell;
    private final TokenReviewer reviewer;
    private final String audience;
    private final IdentityRule rule;
    private final TokenReviewCache book = new TokenReviewCache();
    private final ConcurrencyLimiter reviewed = new ConcurrencyLimiter(REVIEWS_MAX);
    private final RateLimiter wrong = new RateLimiter(WRONG_PER_SECOND, WRONG_AT_ONCE);
    private final Map<String, Future<TokenReviewResult>> underWay = new HashMap<>();
    private final IdentityLog notes;

    AgentIdentity(Vertx vertx, TokenReviewConfig config, Shell shell, TokenReviewer reviewer) {
        this.vertx = vertx;
        this.shell = shell;
        this.reviewer = reviewer;
        context = vertx.getOrCreateContext();
        audience = config.audience();
        rule = new IdentityRule(audience, config.serviceAccounts(), config.nodes());
        notes = new IdentityLog(shell);
        notes.watch(book, reviewed);
    }

    /** Who sent it; never fails. Of requests with the same token, those that came first hear it first. */
    Future<IdentityResult> of(HttpServerRequest request) {
        var peer = request.remoteAddress().host();
        var token = BearerToken.of(request).orElse("");
        var hash = TokenMark.hash(token);
        var known = book.find(hash, now());
        if (known.isPresent()) {
            return Future.succeededFuture(weighed(known.get(), peer));
        }
        var review = underWay.get(hash);
        return review == null ? ask(token, peer) : patiently(review, peer);
    }

    /** To be called a few times a second. */
    void tidy() {
        wrong.tidy(now());
    }

    /** Whoever tries out tokens has the API server asked about a few of them, and others are not held up. */
    private Future<IdentityResult> ask(String token, String peer) {
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

    /** Notes that one asked for a pod of another node than its own. */
    void elsewhere(Caller caller, AgentPod member) {
        notes.turnedAway(
                TokenRefusal.ELSEWHERE,
                caller.name(),
                "it is on node " + caller.onlyNode().orElse("") + " and asked for pod " + member.pod() + " on node "
                        + member.node());
    }

    private Future<TokenReviewResult> begin(String token, String peer) {
        var mark = TokenMark.of(token);
        var told = Promise.<TokenReviewResult>promise();
        var asked = now();
        underWay.put(mark.hash(), told.future());
        Future.succeededFuture()
                .compose(go -> reviewer.review(token, audience))
                .onComplete(ended -> context.runOnContext(go -> {
                    reviewed.left(peer);
                    underWay.remove(mark.hash());
                    if (ended.succeeded()) {
                        book.told(mark, ended.result(), asked);
                        if (ended.result() instanceof TokenReviewResult.Rejected) {
                            wrong.pass(peer, now());
                        }
                    }
                    notes.reviewed(ended);
                    told.handle(ended);
                }));
        return told.future();
    }

    private Future<IdentityResult> patiently(Future<TokenReviewResult> review, String peer) {
        var answer = Promise.<IdentityResult>promise();
        long timer = vertx.setTimer(
                PATIENCE.toMillis(), late -> answer.tryComplete(new IdentityResult.Unknown(AgentAnswers.UNREVIEWED)));
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

    private IdentityResult weighed(TokenReviewResult verdict, String peer) {
        var found = rule.weigh(verdict);
        if (found instanceof IdentityResult.Stranger(var reason, var _, var detail)) {
            notes.turnedAway(reason, peer, detail);
        }
        return found;
    }

    private Instant now() {
        return shell.clock().instant();
    }
}
