package io.sluice.neonvm.watch;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.neonvm.api.KubernetesApi;
import io.sluice.neonvm.api.RefusedException;
import io.sluice.neonvm.api.WatchedKind;
import io.sluice.neonvm.core.objects.NodeReader;
import io.sluice.neonvm.core.observed.WatchScope;
import io.vertx.core.Future;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Lists all objects of a kind page by page. All pages show one instant; the first page has its version. */
final class PagedList {
    private static final int OK = 200;
    private static final int PAGE = 500;

    private final KubernetesApi api;
    private final WatchScope scope;

    PagedList(KubernetesApi api, WatchScope scope) {
        this.api = api;
        this.scope = scope;
    }

    /**
     * Lists a kind once.
     *
     * @param each receives the objects as they arrive
     * @return the version of the list
     */
    Future<Long> list(WatchedKind watched, Consumer<JsonNode> each) {
        return api.get(page(watched, "")).compose(first -> {
            long version = NodeReader.version(checked(watched, first));
            return rest(watched, first, each).map(version);
        });
    }

    private Future<Void> rest(WatchedKind watched, KubernetesApi.Answer answer, Consumer<JsonNode> each) {
        var list = checked(watched, answer);
        list.path("items").forEach(each);
        var next = list.path("metadata").path("continue").asText("");
        return next.isEmpty()
                ? Future.succeededFuture()
                : api.get(page(watched, next)).compose(page -> rest(watched, page, each));
    }

    private static JsonNode checked(WatchedKind watched, KubernetesApi.Answer answer) {
        if (answer.status() != OK) {
            throw new RefusedException("listing " + watched.path(), answer.status(), answer.retryAfter());
        }
        return answer.body();
    }

    private String page(WatchedKind watched, String next) {
        return watched.path() + "?limit=" + PAGE + watched.selector(scope)
                + (next.isEmpty() ? "" : "&continue=" + URLEncoder.encode(next, StandardCharsets.UTF_8));
    }
}
