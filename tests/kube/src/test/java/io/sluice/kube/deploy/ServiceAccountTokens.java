package io.sluice.kube.deploy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Tokens of service accounts in {@code kube-system}, as the API server makes them, and forged ones. */
final class ServiceAccountTokens {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();
    private static final int PARTS = 3;

    private final KubernetesClient client;
    private final List<String> handedOut = new CopyOnWriteArrayList<>();

    ServiceAccountTokens(KubernetesClient client) {
        this.client = client;
    }

    /** All tokens that were made. */
    List<String> handedOut() {
        return handedOut;
    }

    String bound(String account, String audience, String kind, String name) {
        return request(
                account,
                audience,
                ",\"boundObjectRef\":{\"apiVersion\":\"v1\",\"kind\":\"%s\",\"name\":\"%s\"}".formatted(kind, name));
    }

    String unbound(String account, String audience) {
        return request(account, audience, "");
    }

    private String request(String account, String audience, String more) {
        var answer = client.raw(
                "/api/v1/namespaces/kube-system/serviceaccounts/" + account + "/token",
                "POST",
                "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"TokenRequest\",\"spec\":{\"audiences\":[\"%s\"]%s}}"
                        .formatted(audience, more));
        return handedOut(json(answer).path("status").path("token").asText());
    }

    /** The same claims with one change, signed anew. */
    String forged(String token, Path key, Consumer<ObjectNode> change) {
        var parts = token.split("\\.");
        var claims = (ObjectNode) json(new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8));
        change.accept(claims);
        var signed = base64("{\"alg\":\"RS256\",\"typ\":\"JWT\"}") + "." + base64(claims.toString());
        return handedOut(signed + "." + seal(signed, key));
    }

    /** Whether the text contains the claims or the signature of a token that was made. */
    boolean isReportedIn(String text) {
        return handedOut.stream().anyMatch(token -> {
            var parts = token.split("\\.");
            return parts.length != PARTS || text.contains(parts[1]) || text.contains(parts[2]);
        });
    }

    private String handedOut(String token) {
        handedOut.add(token);
        return token;
    }

    private static String seal(String text, Path key) {
        try {
            var pem = Files.readString(key).replaceAll("-----[A-Z ]+-----|\\s", "");
            var signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(KeyFactory.getInstance("RSA")
                    .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(pem))));
            signature.update(text.getBytes(StandardCharsets.UTF_8));
            return BASE64.encodeToString(signature.sign());
        } catch (GeneralSecurityException everyJdkHasIt) {
            throw new IllegalStateException(everyJdkHasIt);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static String base64(String text) {
        return BASE64.encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException noJson) {
            throw new IllegalStateException(noJson);
        }
    }
}
