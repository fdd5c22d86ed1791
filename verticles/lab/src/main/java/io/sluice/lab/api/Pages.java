package io.sluice.lab.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.shell.BoundedMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The remaining pages of lists, as they were at their first page. The oldest lists are dropped. */
final class Pages {
    private static final int KEPT_MAX = 100;

    private final Map<String, Rest> kept = BoundedMap.ofNewest(KEPT_MAX);

    /**
     * The requested part of a list.
     *
     * @param limit the most objects; 0 for all of them
     * @param next the token at the end of the page before; empty for the first
     */
    record Page(int limit, String next) {}

    private record Rest(long version, List<ObjectNode> objects) {}

    /** The first page of these objects. */
    Answer first(ResourceType type, long version, List<ObjectNode> objects, Page page) {
        return answer(type, new Rest(version, objects), page);
    }

    /** A following page; 410 if its list is not stored any more. */
    Answer next(ResourceType type, Page page) {
        var rest = kept.get(page.next());
        return rest == null
                ? Answer.failure(410, "Expired", "The provided continue parameter is too old")
                : answer(type, rest, page);
    }

    private Answer answer(ResourceType type, Rest rest, Page page) {
        var objects = rest.objects();
        int end = page.limit() > 0 ? Math.min(page.limit(), objects.size()) : objects.size();
        var list = JsonNodeFactory.instance.objectNode();
        list.put("kind", type.kind + "List").put("apiVersion", type.apiVersion());
        var metadata = list.putObject("metadata").put("resourceVersion", Long.toString(rest.version()));
        list.putArray("items").addAll(objects.subList(0, end));
        if (end < objects.size()) {
            var next = UUID.randomUUID().toString();
            kept.put(next, new Rest(rest.version(), objects.subList(end, objects.size())));
            metadata.put("continue", next).put("remainingItemCount", objects.size() - end);
        }
        return Answer.of(list);
    }
}
