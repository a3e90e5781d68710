"""Signing in, where the server asks for it."""

from __future__ import annotations

import math

from fastapi import APIRouter, Request, Response

from parlor.server.api.limits import address_of
from parlor.server.api.sign_in import COOKIE, LASTS, Attempts, Passwords
from parlor.server.refusal import Refusal
from parlor.server.schemas.common import PROBLEMS
from parlor.server.schemas.sign_in import Credentials, SignInState

router = APIRouter(responses=PROBLEMS, prefix="/api/sign-in", tags=["sign-in"])


@router.get("", operation_id="getSignIn")
async def get_sign_in(request: Request) -> SignInState:
    """Whether one must sign in here, and who has."""
    passwords: Passwords | None = request.app.state.passwords
    if passwords is None:
        return SignInState(required=False, named=False, name=None)
    return SignInState(required=True, named=passwords.named, name=passwords.signed_in(request.scope))


@router.post("/begin", operation_id="signIn")
async def sign_in(wanted: Credentials, request: Request, response: Response) -> SignInState:
    """Sign in: the answer sets a cookie."""
    passwords: Passwords | None = request.app.state.passwords
    if passwords is None:
        raise Refusal(409, "Nobody needs to sign in at this server.")
    attempts: Attempts = request.app.state.attempts
    address = address_of(request.scope)
    if (wait := attempts.wait(address)) > 0:
        raise Refusal(429, f"Too many wrong passwords; try again in {math.ceil(wait)} s.")
    if not passwords.right(wanted.name, wanted.password):
        attempts.failed(address)
        raise Refusal(403, "This is not the name and the password." if passwords.named else "This is not the password.")
    attempts.succeeded(address)
    name, secure = passwords.known(wanted.name), request.url.scheme == "https"
    response.set_cookie(COOKIE, passwords.sign(name), LASTS, secure=secure, httponly=True, samesite="strict")
    return SignInState(required=True, named=passwords.named, name=name)


@router.post("/end", operation_id="signOut", status_code=204)
async def sign_out(request: Request, response: Response) -> None:
    """Sign out in this browser: its cookie is good no more, and nor is a copy of it."""
    passwords: Passwords | None = request.app.state.passwords
    if passwords is not None:
        for _, mark, until in list(passwords.cookies(request.scope)):
            passwords.ended.add(mark)
            await request.app.state.store.end_cookie(mark, until)
    response.delete_cookie(COOKIE, httponly=True, samesite="strict")
