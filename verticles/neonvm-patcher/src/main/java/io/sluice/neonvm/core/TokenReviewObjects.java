package io.sluice.neonvm.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.sluice.shell.TokenReviewResult;
import java.util.Optional;
import java.util.stream.StreamSupport;

/** Writes the objects by which an API server is asked about tokens, and reads what it makes of them. */
public final class TokenReviewObjects {
    /** Kind of these objects, as it stands in them. */
    public static final String KIND = "TokenReview";

    private static final String API_VERSION = "authentication.k8s.io/v1";
    private static final String CLAIM = "authentication.kubernetes.io/";
    private static final int WORDS_MAX = 300;

    private TokenReviewObjects() {}

    /** The question whose a token is, if it was made for this audience. */
    public static String create(String token, String audience) {
        var review = KubernetesJson.MAPPER.createObjectNode();
        review.put("apiVersion", API_VERSION).put("kind", KIND);
        review.putObject("spec").put("token", token).putArray("audiences").add(audience);
        return review.toString();
    }

    /** A server that says nothing of the audience looked at none: then the token was made for somebody else. */
    public static TokenReviewResult read(JsonNode review, String token, String audience) {
        var status = review.path("status");
        var user = status.path("user");
        var name = user.path("username").asText("");
        if (!status.path("authenticated").asBoolean(false) || name.isEmpty()) {
            return new TokenReviewResult.Rejected(
                    words(status.path("error").asText("the API server knows no such token"), token));
        }
        if (!names(status.path("audiences"), audience)) {
            return new TokenReviewResult.Rejected(
                    "the API server does not say that it is for the audience " + audience);
        }
        var extra = user.path("extra");
        return new TokenReviewResult.Accepted(name, pod(name, extra), claim(extra, "node-name"));
    }

    /** Words of a server without the token, should they hold it, and no longer than a log needs them. */
    public static String words(String said, String token) {
        var safe = said.replace(token, "...");
        return safe.length() <= WORDS_MAX ? safe : safe.substring(0, WORDS_MAX) + "...";
    }

    /** A service account makes tokens for pods of its own namespace alone, and its name begins with that. */
    private static Optional<String> pod(String user, JsonNode extra) {
        var parts = user.split(":", -1);
        return claim(extra, "pod-name").map(pod -> parts.length == 4 ? parts[2] + "/" + pod : pod);
    }

    /** Where there are several, which there never should be, none of them counts. */
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
