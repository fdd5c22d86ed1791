package io.sluice.simulation.exhaustive.digest;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Digests all fields of an object, recursively, so that two objects with equal digests behave alike. Left out is what
 * no message depends on: configuration, explanations, measurements, and the numbers of requests, of which at most one
 * of each kind is under way.
 */
public final class CanonicalDigest {
    private static final Set<String> TYPES_LEFT_OUT = Set.of(
            "Reports",
            "LastAnswers",
            "Raises",
            "ScalingNotes",
            "Freshness",
            "GoalBasis",
            "Demand",
            "RunnerConfig",
            "CoreConfig",
            "ScalingConfig",
            "Trouble",
            "RandomGenerator");

    private static final Set<String> FIELDS_LEFT_OUT = Set.of(
            "GatewayClient.number",
            "Requests.numbers",
            "Requests.actions",
            "Requests.deadline",
            "Serving.queries",
            "Serving.desired",
            "VmView.complaints",
            "RevisionBook.inFlight",
            "RevisionBook.latencies",
            "Patch.raisedAt");

    private static final ClassValue<List<Field>> FIELDS = new ClassValue<>() {
        @Override
        protected List<Field> computeValue(Class<?> type) {
            return fieldsOf(type);
        }
    };

    private final Digest digest = new Digest();
    private final IdentityHashMap<Object, Integer> known = new IdentityHashMap<>();

    public static Digest of(Object... roots) {
        var walk = new CanonicalDigest();
        for (var root : roots) {
            walk.walk(root);
        }
        return walk.digest;
    }

    private void walk(Object value) {
        switch (value) {
            case null -> digest.add(0);
            case String text -> digest.add(text);
            case Enum<?> constant -> digest.add(constant.ordinal() + 1L);
            case Boolean truth -> digest.add(truth ? 1 : 2);
            case Double number -> digest.add(Double.doubleToLongBits(number));
            case Float number -> digest.add(Float.floatToIntBits(number));
            case Number number -> digest.add(number.longValue());
            case Instant instant -> {
                digest.add(instant.getEpochSecond());
                digest.add(instant.getNano());
            }
            case Duration duration -> digest.add(duration.toNanos());
            case Optional<?> optional -> {
                digest.add(optional.isPresent() ? 1 : 2);
                optional.ifPresent(this::walk);
            }
            case OptionalLong optional -> {
                digest.add(optional.isPresent() ? 1 : 2);
                optional.ifPresent(digest::add);
            }
            case Collection<?> all -> {
                digest.add(all.size());
                all.forEach(this::walk);
            }
            case Map<?, ?> map -> {
                digest.add(map.size());
                map.forEach((key, held) -> {
                    if (!(key instanceof Long)) {
                        walk(key);
                    }
                    walk(held);
                });
            }
            default -> fields(value);
        }
    }

    private void fields(Object value) {
        var type = value.getClass();
        if (type.isHidden()) {
            return;
        }
        if (!type.getName().startsWith("io.sluice.")) {
            throw new IllegalStateException("there is no digest of " + type);
        }
        var before = type.isRecord() ? null : known.putIfAbsent(value, known.size());
        if (before != null) {
            digest.add(-before - 1L);
            return;
        }
        digest.add(type.getSimpleName());
        for (var field : FIELDS.get(type)) {
            try {
                walk(field.get(value));
            } catch (IllegalAccessException hidden) {
                throw new IllegalStateException(hidden);
            }
        }
    }

    private static List<Field> fieldsOf(Class<?> type) {
        var fields = new ArrayList<Field>();
        for (Class<?> owner = type; owner != null && owner != Object.class; owner = owner.getSuperclass()) {
            for (var field : owner.getDeclaredFields()) {
                boolean leftOut = Modifier.isStatic(field.getModifiers())
                        || TYPES_LEFT_OUT.contains(field.getType().getSimpleName())
                        || FIELDS_LEFT_OUT.contains(owner.getSimpleName() + "." + field.getName());
                if (!leftOut) {
                    field.setAccessible(true);
                    fields.add(field);
                }
            }
        }
        return fields;
    }
}
