package io.sluice.gateway;

import io.sluice.gateway.core.AgentAnswers;
import io.sluice.gateway.core.Caller;
import io.sluice.gateway.core.Crowd;
import io.sluice.gateway.core.Distrust;
import io.sluice.gateway.core.HttpAnswer;
import io.sluice.gateway.core.Identified;
import io.sluice.gateway.core.IdentityRule;
import io.sluice.gateway.core.Member;
import io.sluice.gateway.core.RateGate;
import io.sluice.gateway.core.TokenMark;
import io.sluice.gateway.core.VerdictBook;
import io.sluice.gateway.door.Bearer;
import io.sluice.shell.Shell;
import io.sluice.shell.TokenReviewer;
import io.sluice.shell.TokenVerdict;
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
    private final VerdictBook book = new VerdictBook();
    private final Crowd reviewed = new Crowd(REVIEWS_MAX);
    private final RateGate wrong = new RateGate(WRONG_PER_SECOND, WRONG_AT_ONCE);
    private final Map<String, Future<TokenVerdict>> underWay = new HashMap<>();
    private final IdentityNotes notes;

    AgentIdentity(Vertx vertx, TokenReviewConfig config, Shell shell, TokenReviewer reviewer) {
        this.vertx = vertx;
        this.shell = shell;
        this.reviewer = reviewer;
        context = vertx.getOrCreateContext();
        audience = config.audience();
        rule = new IdentityRule(audience, config.serviceAccounts(), config.nodes());
        notes = new IdentityNotes(shell);
        notes.watch(book, reviewed);
    }

    /** Who sent it; never fails. Of requests with the same token, those that came first hear it first. */
    Future<Identified> of(HttpServerRequest request) {
        var peer = request.remoteAddress().host();
        var token = Bearer.of(request).orElse("");
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
    private Future<Identified> ask(String token, String peer) {
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

    private static Future<Identified> unknown(HttpAnswer answer) {
        return Future.succeededFuture(new Identified.Unknown(answer));
    }

    /** Notes that one asked for a pod of another node than its own. */
    void elsewhere(Caller caller, Member member) {
        notes.turnedAway(
                Distrust.ELSEWHERE,
                caller.name(),
                "it is on node " + caller.onlyNode().orElse("") + " and asked for pod " + member.pod() + " on node "
                        + member.node());
    }

    private Future<TokenVerdict> begin(String token, String peer) {
        var mark = TokenMark.of(token);
        var told = Promise.<TokenVerdict>promise();
        var asked = now();
        underWay.put(mark.hash(), told.future());
        Future.succeededFuture()
                .compose(go -> reviewer.review(token, audience))
                .onComplete(ended -> context.runOnContext(go -> {
                    reviewed.left(peer);
                    underWay.remove(mark.hash());
                    if (ended.succeeded()) {
                        book.told(mark, ended.result(), asked);
                        if (ended.result() instanceof TokenVerdict.Rejected) {
                            wrong.pass(peer, now());
                        }
                    }
                    notes.reviewed(ended);
                    told.handle(ended);
                }));
        return told.future();
    }

    private Future<Identified> patiently(Future<TokenVerdict> review, String peer) {
        var answer = Promise.<Identified>promise();
        long timer = vertx.setTimer(
                PATIENCE.toMillis(), late -> answer.tryComplete(new Identified.Unknown(AgentAnswers.UNREVIEWED)));
        review.onComplete(ended -> {
            if (vertx.cancelTimer(timer)) {
                answer.tryComplete(identified(ended, peer));
            }
        });
        return answer.future();
    }

    private Identified identified(AsyncResult<TokenVerdict> ended, String peer) {
        return ended.succeeded() ? weighed(ended.result(), peer) : new Identified.Unknown(AgentAnswers.UNREVIEWED);
    }

    private Identified weighed(TokenVerdict verdict, String peer) {
        var found = rule.weigh(verdict);
        if (found instanceof Identified.Stranger(var reason, var _, var detail)) {
            notes.turnedAway(reason, peer, detail);
        }
        return found;
    }

    private Instant now() {
        return shell.clock().instant();
    }
}
