package io.sluice.pods;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** The client of an API server whose answers a test makes up. */
public final class StandInApi {
    private StandInApi() {}

    @FunctionalInterface
    private interface Method {
        Object call(Object... args);
    }

    /** A client whose requests a test answers. */
    static KubernetesClient client(Function<HttpRequest, CompletableFuture<JsonNode>> answers) {
        var http = stub(
                HttpClient.class,
                Map.of(
                        "newHttpRequestBuilder",
                        args -> new StandardHttpRequest.Builder(),
                        "consumeBytes",
                        args -> answers.apply((HttpRequest) args[0]).thenApply(body -> response(body, args[1]))));
        return client(http, "http://127.0.0.1:1/");
    }

    /** A client of a server, of which it uses no more than this. */
    public static KubernetesClient client(HttpClient http, String url) {
        var config = new ConfigBuilder(Config.empty()).withMasterUrl(url).build();
        return stub(KubernetesClient.class, Map.of("getHttpClient", args -> http, "getConfiguration", args -> config));
    }

    /** An answer with the status that its body names, or 200. */
    @SuppressWarnings("unchecked")
    private static HttpResponse<AsyncBody> response(JsonNode answer, Object reader) {
        int code = answer.path("code").asInt(200);
        var done = new CompletableFuture<Void>();
        AsyncBody body = stub(
                AsyncBody.class,
                Map.of(
                        "done",
                        args -> done,
                        "consume",
                        args -> done.complete(null) ? null : null,
                        "cancel",
                        args -> null));
        try {
            ((AsyncBody.Consumer<List<ByteBuffer>>) reader)
                    .consume(List.of(ByteBuffer.wrap(answer.toString().getBytes(StandardCharsets.UTF_8))), body);
        } catch (Exception unread) {
            throw new IllegalStateException(unread);
        }
        return stub(HttpResponse.class, Map.of("code", args -> code, "body", args -> body));
    }

    private static <T> T stub(Class<T> type, Map<String, Method> methods) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, args) -> methods.get(method.getName()).call(args)));
    }
}
