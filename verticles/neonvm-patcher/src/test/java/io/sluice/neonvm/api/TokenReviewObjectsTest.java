package io.sluice.neonvm.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.neonvm.core.objects.KubernetesJson;
import io.sluice.shell.TokenReviewResult;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Goal: only what an API server's answer confirms counts. Method: a table of answers. */
class TokenReviewObjectsTest {
    private static final String TOKEN = "head.body.seal";
    private static final String USER = "system:serviceaccount:kube-system:sluice-agent";

    @Test
    void requestsOneAudience() {
        assertThat(json(TokenReviewObjects.create(TOKEN, "sluice"))).isEqualTo(json("""
            {"apiVersion":"authentication.k8s.io/v1","kind":"TokenReview",
             "spec":{"token":"head.body.seal","audiences":["sluice"]}}
            """));
    }

    static Stream<Arguments> answers() {
        return Stream.of(
                Arguments.of(
                        "a pod's token names pod and node",
                        good("""
                            {"authentication.kubernetes.io/pod-name":["agent-x"],
                             "authentication.kubernetes.io/pod-uid":["u"],
                             "authentication.kubernetes.io/node-name":["n1"]}\
                            """, "[\"sluice\"]"),
                        new TokenReviewResult.Accepted(USER, Optional.of("kube-system/agent-x"), Optional.of("n1"))),
                Arguments.of(
                        "a token bound to nothing names neither",
                        good("{}", "[\"other\",\"sluice\"]"),
                        new TokenReviewResult.Accepted(USER, Optional.empty(), Optional.empty())),
                Arguments.of(
                        "two nodes are none",
                        good("{\"authentication.kubernetes.io/node-name\":[\"n1\",\"n2\"]}", "[\"sluice\"]"),
                        new TokenReviewResult.Accepted(USER, Optional.empty(), Optional.empty())),
                Arguments.of(
                        "an empty node is none",
                        good("{\"authentication.kubernetes.io/node-name\":[\"\"]}", "[\"sluice\"]"),
                        new TokenReviewResult.Accepted(USER, Optional.empty(), Optional.empty())),
                Arguments.of("another audience", good("{}", "[\"other\"]"), unsaid()),
                Arguments.of("no audience at all", good("{}", "[]"), unsaid()),
                Arguments.of("an audience that is no list", good("{}", "\"sluice\""), unsaid()),
                Arguments.of(
                        "not authenticated",
                        "{\"status\":{\"error\":\"token has expired: head.body.seal\"}}",
                        new TokenReviewResult.Rejected("token has expired: ...")),
                Arguments.of(
                        "a user that is not authenticated",
                        "{\"status\":{\"authenticated\":false,\"user\":{\"username\":\"x\"},\"audiences\":[\"sluice\"]}}",
                        unknown()),
                Arguments.of("nobody", "{\"status\":{\"authenticated\":true,\"audiences\":[\"sluice\"]}}", unknown()),
                Arguments.of("no status", "{}", unknown()),
                Arguments.of("no object", "\"<html>\"", unknown()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("answers")
    void readsTheOutcome(String name, String answer, TokenReviewResult expected) {
        assertThat(TokenReviewObjects.read(json(answer), TOKEN, "sluice")).isEqualTo(expected);
    }

    @Test
    void keepsWordsShort() {
        assertThat(TokenReviewObjects.words("x".repeat(10_000), TOKEN)).hasSizeLessThan(400);
    }

    private static String good(String extra, String audiences) {
        return "{\"spec\":{\"token\":\"" + TOKEN + "\"},\"status\":{\"authenticated\":true,\"audiences\":" + audiences
                + ",\"user\":{\"username\":\"" + USER + "\",\"extra\":" + extra + "}}}";
    }

    private static TokenReviewResult unsaid() {
        return new TokenReviewResult.Rejected("the API server does not confirm the audience sluice");
    }

    private static TokenReviewResult unknown() {
        return new TokenReviewResult.Rejected("the API server does not accept the token");
    }

    private static JsonNode json(String text) {
        try {
            return KubernetesJson.MAPPER.readTree(text);
        } catch (JsonProcessingException noJson) {
            throw new IllegalArgumentException(noJson);
        }
    }
}
