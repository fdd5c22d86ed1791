package io.sluice.gateway.console;

import io.sluice.bus.Tap;
import io.sluice.units.VmId;
import java.util.Optional;

/**
 * The VM and node that a message is about, as far as it names them.
 *
 * @param vm {@code namespace/name}; empty if it names none
 * @param node a node's name; empty if it names none
 */
record MessageSubject(String vm, String node) {
    private static final MessageSubject NONE = new MessageSubject("", "");

    /** Returns the subject of a passage; a reply that names none has the subject of its request. */
    static MessageSubject of(Tap.Passage passage, MemberNames names) {
        var reported = passage.message().map(message -> in(message, names)).orElse(NONE);
        if (!reported.vm().isEmpty() && !reported.node().isEmpty()) {
            return reported;
        }
        return passage.request().map(request -> reported.or(in(request, names))).orElse(reported);
    }

    private MessageSubject or(MessageSubject other) {
        return new MessageSubject(vm.isEmpty() ? other.vm : vm, node.isEmpty() ? other.node : node);
    }

    private static MessageSubject in(Object message, MemberNames names) {
        return message instanceof Record parts ? in(parts, names) : NONE;
    }

    private static MessageSubject in(Record message, MemberNames names) {
        var vm = "";
        var node = "";
        var namespace = "";
        var vmName = "";
        var pod = "";
        for (var part : MessageParts.of(message.getClass()).parts()) {
            var value = part.in(message);
            switch (part.name()) {
                case "vm" -> vm = key(value);
                case "node" -> node = text(value);
                case "namespace" -> namespace = text(value);
                case "vmName" -> vmName = text(value);
                case "pod", "uid" -> pod = text(value);
                default -> {}
            }
        }
        if (vm.isEmpty() && !vmName.isEmpty() && !namespace.isEmpty()) {
            vm = namespace + "/" + vmName;
        }
        return new MessageSubject(vm.isEmpty() ? names.vmIn(pod).orElse("") : vm, node);
    }

    private static String key(Object value) {
        return switch (value) {
            case VmId id -> id.label();
            case Optional<?> optional when optional.isPresent() -> key(optional.get());
            case null, default -> "";
        };
    }

    private static String text(Object value) {
        return value instanceof String text ? text : "";
    }
}
