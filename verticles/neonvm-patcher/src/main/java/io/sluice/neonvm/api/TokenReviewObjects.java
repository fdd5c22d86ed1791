package io.sluice.neonvm.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.sluice.neonvm.core.objects.KubernetesJson;
import io.sluice.shell.TokenReviewResult;
import java.util.Optional;
import java.util.stream.StreamSupport;

/** Writes TokenReview objects, and reads the API server's answers. */
public final class TokenReviewObjects {
    /** The kind of these objects. */
    public static final String KIND = "TokenReview";

    private static final String API_VERSION = "authentication.k8s.io/v1";
    private static final String CLAIM = "authentication.kubernetes.io/";
    private static final int WORDS_MAX = 300;

    private TokenReviewObjects() {}

    /** The object of a review: which user a token belongs to, if it was issued for this audience. */
    public static String create(String token, String audience) {
        var review = KubernetesJson.MAPPER.createObjectNode();
        review.put("apiVersion", API_VERSION).put("kind", KIND);
        review.putObject("spec").put("token", token).putArray("audiences").add(audience);
        return review.toString();
    }

    /**
     * Reads an answer. A server that returns no audience did not check it; then the token counts as issued for another
     * audience.
     */
    public static TokenReviewResult read(JsonNode review, String token, String audience) {
        var status = review.path("status");
        var user = status.path("user");
        var name = user.path("username").asText("");
        if (!status.path("authenticated").asBoolean(false) || name.isEmpty()) {
            return new TokenReviewResult.Rejected(
                    words(status.path("error").asText("the API server does not accept the token"), token));
        }
        if (!names(status.path("audiences"), audience)) {
            return new TokenReviewResult.Rejected("the API server does not confirm the audience " + audience);
        }
        var extra = user.path("extra");
        return new TokenReviewResult.Accepted(name, pod(name, extra), claim(extra, "node-name"));
    }

    /** A server's message without the token, which it may contain, cut to a length that fits a log. */
    public static String words(String reported, String token) {
        var safe = reported.replace(token, "...");
        return safe.length() <= WORDS_MAX ? safe : safe.substring(0, WORDS_MAX) + "...";
    }

    /**
     * The pod of a service account's token. Such a token belongs to a pod of the account's own namespace, and the pod's
     * name begins after that.
     */
    private static Optional<String> pod(String user, JsonNode extra) {
        var parts = user.split(":", -1);
        return claim(extra, "pod-name").map(pod -> parts.length == 4 ? parts[2] + "/" + pod : pod);
    }

    /** The value of a claim; empty if there are several, which is not expected. */
    private static Optional<String> claim(JsonNode extra, String claim) {
        var values = extra.path(CLAIM + claim);
        return values.size() == 1
                ? Optional.of(values.get(0).asText("")).filter(value -> !value.isEmpty())
                : Optional.empty();
    }

    private static boolean names(JsonNode audiences, String audience) {
        return StreamSupport.stream(audiences.spliterator(), false).anyMatch(TextNode.valueOf(audience)::equals);
    }
}
