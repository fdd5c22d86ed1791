package io.sluice.gateway.core.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.core.AgentPod;
import io.sluice.gateway.core.PodObservations;
import io.sluice.shell.TokenReviewResult;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Goal: an agent is identified by its account, and gets permits for the pods of its node alone. Method: every review
 * result under every rule, then a request for a pod on each of two nodes.
 */
class IdentityRuleTest {
    private static final String AGENT = "system:serviceaccount:kube-system:sluice-agent";
    private static final String NONE = "";

    static Stream<Arguments> outcomes() {
        return Stream.of(
                Arguments.of("own node", AgentNodes.OWN, accepted(AGENT, "n1"), List.of("n1")),
                Arguments.of("other node", AgentNodes.OWN, accepted(AGENT, "n2"), List.of("n2")),
                Arguments.of("no node", AgentNodes.OWN, accepted(AGENT, NONE), TokenRefusal.NODELESS),
                Arguments.of("claimed node", AgentNodes.CLAIMED, accepted(AGENT, "n1"), List.of("n1")),
                Arguments.of("no node claimed", AgentNodes.CLAIMED, accepted(AGENT, NONE), List.of("n1", "n2")),
                Arguments.of("node that is not checked", AgentNodes.ANY, accepted(AGENT, "n1"), List.of("n1", "n2")),
                Arguments.of("no node, not checked", AgentNodes.ANY, accepted(AGENT, NONE), List.of("n1", "n2")),
                Arguments.of("second account", AgentNodes.OWN, accepted(AGENT + "-2", "n1"), List.of("n1")),
                Arguments.of("longer name", AgentNodes.ANY, accepted(AGENT + "x", "n1"), TokenRefusal.ACCOUNT),
                Arguments.of(
                        "same name elsewhere",
                        AgentNodes.ANY,
                        accepted("system:serviceaccount:default:sluice-agent", "n1"),
                        TokenRefusal.ACCOUNT),
                Arguments.of(
                        "no service account",
                        AgentNodes.ANY,
                        accepted("kube-system:sluice-agent", "n1"),
                        TokenRefusal.ACCOUNT),
                Arguments.of(
                        "bad token", AgentNodes.ANY, new TokenReviewResult.Rejected("expired"), TokenRefusal.TOKEN));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("outcomes")
    void weighs(String name, AgentNodes nodes, TokenReviewResult result, Object expected) {
        var rule = new IdentityRule("sluice", List.of("kube-system:sluice-agent", "kube-system:sluice-agent-2"), nodes);

        switch (rule.weigh(result)) {
            case IdentityResult.Agent(var caller) ->
                assertThat(Stream.of("n1", "n2")
                                .filter(node -> caller.mayRequest(on(node)))
                                .toList())
                        .isEqualTo(expected);
            case IdentityResult.Stranger(var reason, var answer, var _) -> {
                assertThat(reason).isEqualTo(expected);
                assertThat(answer.status()).isEqualTo(reason == TokenRefusal.TOKEN ? 401 : 403);
                assertThat(answer.retryAfter()).isEmpty();
            }
            case IdentityResult.Unknown(var answer) -> throw new AssertionError(answer);
        }
    }

    private static AgentPod on(String node) {
        return new AgentPod("uid", node, "default/a-0", "default/a", PodObservations.GI, false);
    }

    private static TokenReviewResult accepted(String user, String node) {
        return new TokenReviewResult.Accepted(
                user, Optional.empty(), Optional.of(node).filter(some -> !some.isEmpty()));
    }
}
