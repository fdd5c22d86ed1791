package io.sluice.lab.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.Consumer;

/** A receiver of changes. For a watch, an object is added or deleted when it begins or ceases to match the selector. */
final class Watch {
    private final ResourceType type;
    private final Selector selector;
    private final Consumer<String> line;

    /** @param line receives one event as JSON; must not block */
    Watch(ResourceType type, Selector selector, Consumer<String> line) {
        this.type = type;
        this.selector = selector;
        this.line = line;
    }

    ResourceType type() {
        return type;
    }

    Selector selector() {
        return selector;
    }

    void present(ObjectNode object) {
        send("ADDED", object);
    }

    void bookmark(long version) {
        var object = JsonNodeFactory.instance.objectNode();
        object.put("kind", type.kind).put("apiVersion", type.apiVersion());
        object.putObject("metadata").put("resourceVersion", Long.toString(version));
        send("BOOKMARK", object);
    }

    void error(ObjectNode status) {
        send("ERROR", status);
    }

    void send(VersionHistory.Write write) {
        if (write.type() != type) {
            return;
        }
        boolean matched = write.before().filter(selector).isPresent();
        boolean matches = !write.deleted() && selector.test(write.object());
        if (matches) {
            send(matched ? "MODIFIED" : "ADDED", write.object());
        } else if (matched) {
            send("DELETED", write.object());
        }
    }

    private void send(String event, ObjectNode object) {
        var body = JsonNodeFactory.instance.objectNode();
        body.put("type", event).set("object", object);
        line.accept(body.toString());
    }
}
