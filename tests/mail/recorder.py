"""A way out that keeps what it is given, and answers as it is told."""

from __future__ import annotations

from dataclasses import dataclass, field

from service.mail.transport import Breaker, Delivery, Unreachable


@dataclass
class Recorder:
    """Answers are taken from `answers` while there are some; then everything is sent."""

    answers: list[Delivery | Unreachable] = field(default_factory=list)
    mails: list[tuple[str, str, bytes]] = field(default_factory=list)
    breaker: Breaker = field(default_factory=Breaker)

    def deliver(self, sender: str, recipient: str, raw: bytes) -> Delivery:
        answer = self.answers.pop(0) if self.answers else Delivery("sent", 250)
        if isinstance(answer, Unreachable):
            raise answer
        if answer.state in ("sent", "uncertain"):
            self.mails.append((sender, recipient, raw))
        return answer

    def close(self) -> None:
        pass
