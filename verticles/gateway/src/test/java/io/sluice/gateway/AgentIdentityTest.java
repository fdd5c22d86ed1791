package io.sluice.gateway;

import static io.sluice.gateway.ListenerFixture.body;
import static io.sluice.gateway.ListenerFixture.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.core.PodObservations;
import io.sluice.gateway.core.identity.AgentNodes;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.shell.TokenReviewResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: an agent gets permits for pods of its own node; any other client gets a reason, and the ledger receives
 * nothing. Method: a stand-in reviews tokens; all pods run on node n1.
 */
@ExtendWith(VertxExtension.class)
class AgentIdentityTest {
    private static final int REVIEWS_OF_ONE_MAX = 56;
    private static final int ATTEMPTS = 20;

    private final StandInReviewer reviewer = new StandInReviewer();
    private Vertx vertx;
    private ListenerFixture listener;

    @BeforeEach
    void keep(Vertx injected) {
        vertx = injected;
    }

    @Test
    void anAgentRequestsForPodsOfItsNode() throws Exception {
        open(AgentNodes.OWN);
        assertThat(post("agent-n1", body("a-0", 2, "")).statusCode()).isEqualTo(200);
        assertThat(post("agent-n1", body("b-0", 2, "")).statusCode()).isEqualTo(200);
        assertThat(listener.ledger.requests).hasSize(2);
        assertThat(reviewer.requested).containsExactly("agent-n1");
        assertThat(count("sluice.gateway.reviews", "outcome", "accepted")).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",\"runner\":\"r1\"", ",\"session\":1,\"seq\":4"})
    void nothingOfAnotherNodesAgentReachesTheLedger(String session) throws Exception {
        open(AgentNodes.OWN);
        var answer = post("agent-n2", body("a-0", 2, session));
        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(answer.body())
                .isEqualTo("the agent on node n2 may not request permits for pod default/a-0 on node n1");
        assertThat(listener.ledger.openings).isEmpty();
        assertThat(listener.ledger.requests).isEmpty();
        assertThat(count("sluice.gateway.distrusted", "reason", "elsewhere")).isEqualTo(1);
    }

    @Test
    void anotherNodesAgentSpendsNothingOfWhatThePodsMayRequest() throws Exception {
        listener = new ListenerFixture(
                vertx, ListenerFixture.limits(1, 1, 512, review(AgentNodes.OWN)), Optional.of(reviewer));
        listener.token = "agent-n1";
        listener.listed();
        for (int i = 0; i < 5; i++) {
            assertThat(post("agent-n2", body("a-0", 9, "")).statusCode()).isEqualTo(403);
        }
        assertThat(post("agent-n1", body("a-0", 2, "")).statusCode()).isEqualTo(200);
        until(() -> post("agent-n1", body("a-0", 2, "")).statusCode() == 429);
    }

    @ParameterizedTest
    @CsvSource({
        "unheard-of, 401, the API server rejects this token for the audience sluice, token",
        "other, 403, system:serviceaccount:default:other is no agent, account",
        "nodeless, 403, this token names no node, nodeless"
    })
    void turnsStrangersAway(String token, int status, String sentence, String reason) throws Exception {
        open(AgentNodes.OWN);
        var answer = post(token, body("a-0", 2, ""));
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.body()).startsWith(sentence);
        assertThat(answer.headers().firstValue("www-authenticate").isPresent()).isEqualTo(status == 401);
        assertThat(listener.ledger.openings).isEmpty();
        assertThat(count("sluice.gateway.distrusted", "reason", reason)).isEqualTo(1);
    }

    @Test
    void aRequestWithoutATokenIsRefusedAndNotReviewed() throws Exception {
        open(AgentNodes.OWN);
        var answer = post("", body("a-0", 2, ""));
        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(answer.headers().firstValue("www-authenticate")).contains("Bearer");
        assertThat(reviewer.requested).containsExactly("agent-n1");
        assertThat(listener.meters
                        .counter("sluice.gateway.refused", "listener", "agent", "reason", "missing")
                        .count())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"CLAIMED, nodeless, 200", "CLAIMED, agent-n2, 403", "ANY, agent-n2, 200", "ANY, other, 403"})
    void anOperatorMayLookLessAtNodes(AgentNodes nodes, String token, int status) throws Exception {
        open(nodes);
        assertThat(post(token, body("a-0", 2, "")).statusCode()).isEqualTo(status);
    }

    @Test
    void requestsThatWaitForOneReviewKeepTheirOrder() throws Exception {
        open(AgentNodes.OWN);
        var reviewed = new ArrayList<>(List.of("agent-n1"));
        List<Integer> codes = List.of(503);
        // A busy machine may let a request wait for longer than a second; then it is refused.
        while (codes.contains(503) && reviewed.size() <= ATTEMPTS) {
            reviewed.add("new-token-" + reviewed.size());
            listener.ledger.requests.clear();
            codes = codesAfterOneReview(reviewed.getLast());
        }
        assertThat(codes).containsExactly(200, 200, 200);
        assertThat(reviewer.requested).containsExactlyElementsOf(reviewed);
        assertThat(listener.ledger.requests)
                .extracting(PermitRequest::target)
                .containsExactly(
                        PodObservations.UNIT.times(2), PodObservations.UNIT.times(3), PodObservations.UNIT.times(4));
    }

    private List<Integer> codesAfterOneReview(String token) throws Exception {
        var result = Promise.<TokenReviewResult>promise();
        reviewer.answers(unused -> result.future());
        listener.token = token;
        var answers = new ArrayList<CompletableFuture<HttpResponse<String>>>();
        for (int units = 2; units <= 4; units++) {
            answers.add(listener.posting(body("a-0", units, "")));
            int sent = answers.size();
            until(() -> listener.inFlight() == sent || answers.stream().anyMatch(CompletableFuture::isDone));
        }
        result.complete(StandInReviewer.accepted(StandInReviewer.AGENT, Optional.of("n1")));
        var codes = new ArrayList<Integer>();
        for (var answer : answers) {
            codes.add(answer.get().statusCode());
        }
        return codes;
    }

    @Test
    void aTokenThatCannotBeReviewedIsNotLetInAndIsReviewedAgain() throws Exception {
        open(AgentNodes.OWN);
        reviewer.answers(token -> Future.failedFuture("403 tokenreviews is forbidden"));
        expectUnreviewed(post("agent-n3", body("a-0", 2, "")));
        reviewer.answers(token -> {
            throw new IllegalStateException("broken");
        });
        expectUnreviewed(post("agent-n3", body("a-0", 2, "")));
        assertThat(count("sluice.gateway.reviews", "outcome", "failed")).isEqualTo(2);
        assertThat(listener.ledger.openings).isEmpty();
        // The cached review still counts.
        assertThat(post("agent-n1", body("a-0", 2, "")).statusCode()).isEqualTo(200);
        reviewer.answers(
                token -> Future.succeededFuture(StandInReviewer.accepted(StandInReviewer.AGENT, Optional.of("n1"))));
        assertThat(post("agent-n3", body("a-0", 2, "")).statusCode()).isEqualTo(200);
    }

    @Test
    void aSlowReviewIsNotWaitedForAndServesTheNextRequest() throws Exception {
        open(AgentNodes.OWN);
        var result = Promise.<TokenReviewResult>promise();
        reviewer.answers(token -> result.future());
        expectUnreviewed(post("slow", body("a-0", 2, "")));
        expectUnreviewed(post("slow", body("a-0", 2, "")));
        result.complete(StandInReviewer.accepted(StandInReviewer.AGENT, Optional.of("n1")));
        assertThat(post("slow", body("a-0", 2, "")).statusCode()).isEqualTo(200);
        assertThat(reviewer.requested).containsExactly("agent-n1", "slow");
        assertThat(listener.ledger.requests).hasSize(1);
    }

    @Test
    void reviewsAreBoundedAndAKnownAgentIsServedMeanwhile() throws Exception {
        open(AgentNodes.OWN);
        reviewer.answers(token -> Promise.<TokenReviewResult>promise().future());
        for (int i = 0; i < REVIEWS_OF_ONE_MAX; i++) {
            listener.token = "held-" + i;
            listener.posting(body("a-0", 2, ""));
        }
        until(() -> reviewer.requested.size() == REVIEWS_OF_ONE_MAX + 1);
        var more = post("one-more", body("a-0", 2, ""));
        assertThat(more.statusCode()).isEqualTo(429);
        assertThat(more.headers().firstValue("retry-after")).isPresent();
        assertThat(post("agent-n1", body("a-0", 2, "")).statusCode()).isEqualTo(200);
        assertThat(reviewer.requested).hasSize(REVIEWS_OF_ONE_MAX + 1);
    }

    @Test
    void aClientThatTriesOutTokensIsStopped() throws Exception {
        open(AgentNodes.OWN);
        var tries = new ArrayList<CompletableFuture<HttpResponse<String>>>();
        for (int i = 0; i < 200; i++) {
            listener.token = "guess-" + i;
            tries.add(listener.posting(body("a-0", 2, "")));
        }
        var codes = new ArrayList<Integer>();
        for (var attempt : tries) {
            codes.add(attempt.get().statusCode());
        }
        assertThat(codes).contains(401, 429).containsOnly(401, 429);
        assertThat(reviewer.requested.size()).isLessThan(200);
        assertThat(post("agent-n1", body("a-0", 2, "")).statusCode()).isEqualTo(200);
    }

    private static void expectUnreviewed(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("retry-after")).contains("1");
        assertThat(answer.body()).isEqualTo("the API server could not review this token");
    }

    /** The token {@code agent-n1} is in the cache from then on. */
    private void open(AgentNodes nodes) throws Exception {
        listener = new ListenerFixture(
                vertx, ListenerFixture.limits(1_000_000, 1_000_000, 512, review(nodes)), Optional.of(reviewer));
        listener.token = "agent-n1";
        listener.listed();
    }

    private static TokenReviewConfig review(AgentNodes nodes) {
        return new TokenReviewConfig(true, "sluice", List.of("kube-system:sluice-agent"), nodes);
    }

    private HttpResponse<String> post(String token, String body) throws Exception {
        listener.token = token;
        return listener.post(body);
    }

    private double count(String name, String tag, String value) {
        return listener.meters.counter(name, tag, value).count();
    }
}
